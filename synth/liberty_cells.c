/* liberty_cells.c - the cells of the made library.
 *
 * Cells of cells_45nm.csv without a function here (clock gate, three-state, constants) are left
 * out: no mapping would use them.
 */
#include "synth/liberty_cells.h"

const struct cell liberty_cells[] = {
    {"AND2", GATE, 4, "A1 A2", "ZN=A1&A2", "n=A1&A2 ZN=n", ""},
    {"AND3", GATE, 4, "A1 A2 A3", "ZN=A1&A2&A3", "n=A1&A2&A3 ZN=n", ""},
    {"AND4", GATE, 4, "A1 A2 A3 A4", "ZN=A1&A2&A3&A4", "n=A1&A2&A3&A4 ZN=n", ""},
    {"AOI21", GATE, 4, "A B1 B2", "ZN=!(A|(B1&B2))", "ZN=A|(B1&B2)", ""},
    {"AOI22", GATE, 4, "A1 A2 B1 B2", "ZN=!((A1&A2)|(B1&B2))", "ZN=(A1&A2)|(B1&B2)", ""},
    {"AOI211", GATE, 4, "A B C1 C2", "ZN=!((C1&C2)|B|A)", "ZN=(C1&C2)|B|A", ""},
    {"AOI221", GATE, 4, "A B1 B2 C1 C2", "ZN=!((C1&C2)|A|(B1&B2))", "ZN=(C1&C2)|A|(B1&B2)", ""},
    {"AOI222", GATE, 4, "A1 A2 B1 B2 C1 C2", "ZN=!((A1&A2)|(B1&B2)|(C1&C2))",
     "ZN=(A1&A2)|(B1&B2)|(C1&C2)", ""},
    {"BUF", GATE, 32, "A", "Z=A", "n=A Z=n", ""},
    {"INV", GATE, 32, "A", "ZN=!A", "ZN=A", ""},
    {"MUX2", GATE, 2, "A B S", "Z=(S&B)|(A&!S)", "s=S n=(A&s)|(B&S) Z=n", ""},
    {"NAND2", GATE, 4, "A1 A2", "ZN=!(A1&A2)", "ZN=A1&A2", ""},
    {"NAND3", GATE, 4, "A1 A2 A3", "ZN=!(A1&A2&A3)", "ZN=A1&A2&A3", ""},
    {"NAND4", GATE, 4, "A1 A2 A3 A4", "ZN=!(A1&A2&A3&A4)", "ZN=A1&A2&A3&A4", ""},
    {"NOR2", GATE, 4, "A1 A2", "ZN=!(A1|A2)", "ZN=A1|A2", ""},
    {"NOR3", GATE, 4, "A1 A2 A3", "ZN=!(A1|A2|A3)", "ZN=A1|A2|A3", ""},
    {"NOR4", GATE, 4, "A1 A2 A3 A4", "ZN=!(A1|A2|A3|A4)", "ZN=A1|A2|A3|A4", ""},
    {"OAI21", GATE, 4, "A B1 B2", "ZN=!(A&(B1|B2))", "ZN=A&(B1|B2)", ""},
    {"OAI22", GATE, 4, "A1 A2 B1 B2", "ZN=!((A1|A2)&(B1|B2))", "ZN=(A1|A2)&(B1|B2)", ""},
    {"OAI211", GATE, 4, "A B C1 C2", "ZN=!((C1|C2)&A&B)", "ZN=(C1|C2)&A&B", ""},
    {"OAI221", GATE, 4, "A B1 B2 C1 C2", "ZN=!((C1|C2)&A&(B1|B2))", "ZN=(C1|C2)&A&(B1|B2)", ""},
    {"OAI222", GATE, 4, "A1 A2 B1 B2 C1 C2", "ZN=!((A1|A2)&(B1|B2)&(C1|C2))",
     "ZN=(C1|C2)&(A1|A2)&(B1|B2)", ""},
    {"OR2", GATE, 4, "A1 A2", "ZN=A1|A2", "n=A1|A2 ZN=n", ""},
    {"OR3", GATE, 4, "A1 A2 A3", "ZN=A1|A2|A3", "n=A1|A2|A3 ZN=n", ""},
    {"OR4", GATE, 4, "A1 A2 A3 A4", "ZN=A1|A2|A3|A4", "n=A1|A2|A3|A4 ZN=n", ""},
    {"XNOR2", GATE, 2, "A B", "ZN=!(A^B)", "n=A&B ZN=n&(A|B)", ""},
    {"XOR2", GATE, 2, "A B", "Z=A^B", "n=A|B Z=n|(A&B)", ""},
    {"HA", GATE, 1, "A B", "CO=A&B S=A^B", "n=A&B CO=n m=A|B S=m|(A&B)", ""},
    {"FA", GATE, 1, "A B CI", "CO=(A&B)|(CI&(A|B)) S=A^B^CI",
     "n=(A&B)|(CI&(A|B)) CO=n m=(n&(A|B|CI))|(A&B&CI) S=m", ""},
    {"DLH", LATCH, 2, "D", "Q=IQ", "", ""},
    {"DFF", FLOP, 2, "D", "Q=IQ QN=IQN", "", ""},
    {"DFFR", FLOP, 2, "D RN", "Q=IQ QN=IQN", "", "clear : \"!RN\"; "},
    {"DFFS", FLOP, 2, "D SN", "Q=IQ QN=IQN", "", "preset : \"!SN\"; "},
    {"DFFRS", FLOP, 2, "D RN SN", "Q=IQ QN=IQN", "",
     "clear : \"!RN\"; preset : \"!SN\"; clear_preset_var1 : L; clear_preset_var2 : L; "},
};
const size_t liberty_n_cells = sizeof liberty_cells / sizeof *liberty_cells;
