/* What the lines of a trace mean: addresses of all modes, packed and unpacked; opcodes; spaces;
 * where instructions lie; origins and loops.  Expected values are worked out by hand from the
 * format's rules. */
#include "sass/sass_flow.h"
#include "sass/sass_launch.h"
#include "sass/sass_pack.h"
#include "test_sass.h"

/* ---- addresses ---- */

/* Addresses of `text` (mode and what follows) under `mask`. */
static void addresses_of(const char *text, uint32_t mask, struct sass_addresses *out)
{
    const struct sass_header head = {.tracer_version = 3};
    struct sass_input in = {.path = "k", .error = message, .n_error = sizeof message};

    message[0] = '\0';
    assert_int_equal(sass_line_addresses(&in, &head, &text, text + strlen(text), mask, out), 0);
    assert_string_equal(message, "");
}

static void modes(void **state)
{
    struct sass_addresses a;

    (void)state;
    addresses_of(" 0 0x10 2a 0xffffffffffffffff", 0x80000101, &a);
    assert_true(a.lane[0] == 0x10 && a.lane[8] == 0x2a && a.lane[31] == UINT64_MAX);
    addresses_of(" 1 0x7f0000001000 -128", 0x0000fff0, &a);
    assert_true(a.lane[4] == 0x7f0000001000 && a.lane[15] == 0x7f0000001000 - 11 * 128);
    addresses_of(" 1 40 0", 0x00000001, &a);
    assert_true(a.lane[0] == 0x40);
    addresses_of(" 2 0x1000 8 -16 4294967296", 0x10101010, &a);
    assert_true(a.lane[4] == 0x1000 && a.lane[12] == 0x1008 && a.lane[20] == 0xff8 &&
                a.lane[28] == 0x100000ff8);
    addresses_of(" 2 0x1000", 0x00000400, &a);
    assert_true(a.lane[10] == 0x1000);
    addresses_of(" 0", 0, &a);
    addresses_of(" 2 0x0", 0, &a);
}

static void packed_and_unpacked(void **state)
{
    static const struct {
        uint32_t entry, mask;
        const char *text;
    } RECORDS[] = {
        {0, 0xffffffff, NULL},
        {0xffffff, 0xffffffff, " 1 0x40000000 -4"},
        {7, 0x00000000, " 0"},
        {8, 0x00000000, NULL},
        {9, 0x80000001, " 2 0x10 2147483647"},
        {10, 0x80000001, " 2 0x10 2147483648"},
        {11, 0x80000001, " 0 0x1 0xffffffffffffffff"},
        {12, 0x00010000, " 2 0xabc"},
        {13, 0x00010000, " 1 0xabc -2147483648"},
    };
    struct sass_packed packed = {0};
    struct sass_record record = {0};
    struct sass_addresses a;
    const uint8_t *at;

    (void)state;
    sass_pack_begin(&packed);
    for (size_t r = 0; r < sizeof RECORDS / sizeof RECORDS[0]; r++) {
        if (RECORDS[r].text) {
            addresses_of(RECORDS[r].text, RECORDS[r].mask, &a);
        }
        assert_int_equal(sass_pack(&packed, RECORDS[r].entry, RECORDS[r].mask,
                                   RECORDS[r].text ? &a : NULL, NULL),
                         0);
    }
    at = packed.bytes;
    for (size_t r = 0; r < sizeof RECORDS / sizeof RECORDS[0]; r++) {
        uint32_t mask = record.mask;

        assert_int_equal(sass_pack_peek(at, &mask), RECORDS[r].entry);
        assert_int_equal(mask, RECORDS[r].mask);
        at = sass_unpack(at, &record);
        assert_int_equal(record.entry, RECORDS[r].entry);
        assert_int_equal(record.mask, RECORDS[r].mask);
        assert_int_equal(record.addressed, RECORDS[r].text && RECORDS[r].mask);
        if (!record.addressed) {
            continue;
        }
        addresses_of(RECORDS[r].text, RECORDS[r].mask, &a);
        for (uint32_t left = record.mask; left; left &= left - 1) {
            assert_true(record.address[__builtin_ctz(left)] == a.lane[__builtin_ctz(left)]);
        }
    }
    assert_ptr_equal(at, packed.bytes + packed.n);
    free(packed.bytes);
}

/* ---- opcodes ---- */

static uint32_t version_of(uint32_t binary_version)
{
    return (uint32_t)sass_opcodes_version(binary_version);
}

static void opcodes(void **state)
{
    static const struct {
        const char *text;
        uint32_t version;
        enum isa_pipe pipe;
        enum isa_access access;
        enum isa_space space;
        uint8_t bytes;
        enum isa_cacheop cacheop;
    } KNOWN[] = {
        {"IADD3", 70, ISA_PIPE_INT, 0, 0, 0, 0},
        {"ISETP.GE.AND", 35, ISA_PIPE_INT, 0, 0, 0, 0},
        {"FFMA.FTZ", 60, ISA_PIPE_FP32, 0, 0, 0, 0},
        {"HADD2_32I", 80, ISA_PIPE_FP32, 0, 0, 0, 0},
        {"DFMA.RN", 75, ISA_PIPE_FP64, 0, 0, 0, 0},
        {"MUFU.RSQ", 80, ISA_PIPE_SFU, 0, 0, 0, 0},
        {"UIADD3.64", 75, ISA_PIPE_UNIFORM, 0, 0, 0, 0},
        {"LDC.64", 70, ISA_PIPE_CONST, 0, 0, 0, 0},
        {"BRA.DIV", 80, ISA_PIPE_CONTROL, 0, 0, 0, 0},
        {"BAR.RED.POPC", 70, ISA_PIPE_BARRIER, 0, 0, 0, 0},
        {"MEMBAR.SC.GPU", 70, ISA_PIPE_FENCE, 0, 0, 0, 0},
        {"LDG.E.SYS", 70, ISA_PIPE_MEM, ISA_ACCESS_LOAD, ISA_SPACE_GLOBAL, 4, 0},
        {"LDG.E.64.SYS", 70, ISA_PIPE_MEM, ISA_ACCESS_LOAD, ISA_SPACE_GLOBAL, 8, 0},
        {"LDG.E.U8.CONSTANT", 80, ISA_PIPE_MEM, ISA_ACCESS_LOAD, ISA_SPACE_GLOBAL, 1, ISA_CACHE_NC},
        {"LDG.E.S16", 80, ISA_PIPE_MEM, ISA_ACCESS_LOAD, ISA_SPACE_GLOBAL, 2, 0},
        {"LDG.E.128.STRONG.GPU", 70, ISA_PIPE_MEM, ISA_ACCESS_LOAD, ISA_SPACE_GLOBAL, 16,
         ISA_CACHE_CG},
        {"LDG.E.GPU", 80, ISA_PIPE_MEM, ISA_ACCESS_LOAD, ISA_SPACE_GLOBAL, 4, 0},
        {"LDG.E.STRONG.SYS", 70, ISA_PIPE_MEM, ISA_ACCESS_LOAD, ISA_SPACE_GLOBAL, 4, ISA_CACHE_CV},
        {"LD.E", 70, ISA_PIPE_MEM, ISA_ACCESS_LOAD, ISA_SPACE_GENERIC, 4, 0},
        {"LD.E", 35, ISA_PIPE_MEM, ISA_ACCESS_LOAD, ISA_SPACE_GLOBAL, 4, 0},
        {"ST.E.U16", 35, ISA_PIPE_MEM, ISA_ACCESS_STORE, ISA_SPACE_GLOBAL, 2, 0},
        {"STL.64", 60, ISA_PIPE_MEM, ISA_ACCESS_STORE, ISA_SPACE_LOCAL, 8, 0},
        {"LDS.U.128", 70, ISA_PIPE_SHARED, ISA_ACCESS_LOAD, ISA_SPACE_SHARED, 16, 0},
        {"LDSM.16.M88.4", 75, ISA_PIPE_SHARED, ISA_ACCESS_LOAD, ISA_SPACE_SHARED, 16, 0},
        {"ATOMS.ADD", 70, ISA_PIPE_SHARED, ISA_ACCESS_ATOMIC, ISA_SPACE_SHARED, 4, 0},
        {"ATOMG.E.ADD.F64.RN", 70, ISA_PIPE_MEM, ISA_ACCESS_ATOMIC, ISA_SPACE_GLOBAL, 8, 0},
        {"QMMA.16832.F32", 89, ISA_PIPE_TENSOR, 0, 0, 0, 0},
        {"HGMMA.64x64x16.F32", 90, ISA_PIPE_TENSOR, 0, 0, 0, 0},
        {"UTMALDG.2D", 90, ISA_PIPE_UNIFORM, 0, ISA_SPACE_GLOBAL, 0, 0},
        {"LDGSTS.E.BYPASS.128", 90, ISA_PIPE_MEM, ISA_ACCESS_LOAD, ISA_SPACE_GLOBAL, 16,
         ISA_CACHE_CG},
        {"SYNCS.EXCH.64", 100, ISA_PIPE_SHARED, ISA_ACCESS_ATOMIC, ISA_SPACE_SHARED, 8, 0},
        {"LDCU.64", 120, ISA_PIPE_CONST, 0, 0, 0, 0},
        {"RED.E.MAX.S32", 80, ISA_PIPE_MEM, ISA_ACCESS_REDUCE, ISA_SPACE_GLOBAL, 4, 0},
    };
    static const struct {
        const char *text;
        uint32_t version;
    } UNKNOWN[] = {
        {"UIADD3", 70}, {"LDSM", 60},   {"XMAD", 70},   {"", 70},     {".E", 70},
        {"ldg", 70},    {"LDGE", 70},   {"HMNMX2", 75}, {"SSY", 70},  {"QMMA", 100},
        {"ULDC", 100},  {"HGMMA", 120}, {"LDCU", 90},   {"QMMA", 80}, {"RED", 100},
    };
    struct sass_opcodes *table = sass_opcodes_new();
    enum sass_class class;
    const char *why;

    (void)state;
    assert_non_null(table);
    for (size_t k = 0; k < sizeof KNOWN / sizeof KNOWN[0]; k++) {
        struct isa_inst inst = {0};

        assert_int_equal(sass_opcode_decode(table, KNOWN[k].text, strlen(KNOWN[k].text),
                                            version_of(KNOWN[k].version), &inst, &class, &why),
                         SASS_KNOWN);
        assert_int_equal(inst.pipe, KNOWN[k].pipe);
        assert_int_equal(inst.access, KNOWN[k].access);
        assert_int_equal(inst.space, KNOWN[k].space);
        assert_int_equal(inst.bytes, KNOWN[k].bytes);
        assert_int_equal(inst.cacheop, KNOWN[k].cacheop);
        assert_int_equal(inst.is_branch, !strncmp(KNOWN[k].text, "BRA", 3));
    }
    for (size_t u = 0; u < sizeof UNKNOWN / sizeof UNKNOWN[0]; u++) {
        struct isa_inst inst = {0};

        assert_int_not_equal(sass_opcode_decode(table, UNKNOWN[u].text, strlen(UNKNOWN[u].text),
                                                version_of(UNKNOWN[u].version), &inst, &class,
                                                &why),
                             SASS_KNOWN);
    }
    sass_opcodes_free(table);
}

static void versions(void **state)
{
    static const struct {
        uint32_t version;
        int table;
    } VERSIONS[] = {
        {35, 0},  {37, 0},  {50, 1},  {60, 1}, {61, 1},  {70, 2},  {72, 2},
        {75, 3},  {80, 4},  {86, 4},  {87, 4}, {89, 5},  {90, 6},  {100, 7},
        {103, 7}, {120, 8}, {121, 8}, {0, -1}, {54, -1}, {91, -1}, {UINT32_MAX, -1},
    };

    (void)state;
    for (size_t v = 0; v < sizeof VERSIONS / sizeof VERSIONS[0]; v++) {
        assert_int_equal(sass_opcodes_version(VERSIONS[v].version), VERSIONS[v].table);
    }
}

/* ---- spaces ---- */

static void generic_windows(void **state)
{
    struct sass_header head = {.shared_base = 0x1000000, .local_base = 0x2000000};

    (void)state;
    assert_int_equal(sass_space_of(&head, ISA_SPACE_GENERIC, 0xffffff), ISA_SPACE_GLOBAL);
    assert_int_equal(sass_space_of(&head, ISA_SPACE_GENERIC, 0x1000000), ISA_SPACE_SHARED);
    assert_int_equal(sass_space_of(&head, ISA_SPACE_GENERIC, 0x1ffffff), ISA_SPACE_SHARED);
    assert_int_equal(sass_space_of(&head, ISA_SPACE_GENERIC, 0x2000000), ISA_SPACE_LOCAL);
    assert_int_equal(sass_space_of(&head, ISA_SPACE_GENERIC, 0x2ffffff), ISA_SPACE_LOCAL);
    assert_int_equal(sass_space_of(&head, ISA_SPACE_GENERIC, 0x3000000), ISA_SPACE_GLOBAL);
    assert_int_equal(sass_space_of(&head, ISA_SPACE_GLOBAL, 0x1000000), ISA_SPACE_GLOBAL);
    head.local_base = 0;
    assert_int_equal(sass_space_of(&head, ISA_SPACE_GENERIC, 0x3000000), ISA_SPACE_SHARED);
}

static void pages(void **state)
{
    struct sass_pages p = {0};

    (void)state;
    assert_int_equal(sass_pages_add(&p, 0x7f0000000000), 0);
    assert_int_equal(sass_pages_add(&p, 0x7f00001fffff), 0); /* the same 2 MiB */
    assert_int_equal(sass_pages_add(&p, 0x7e0000000000), 1); /* the same low 40 bits */
    assert_int_equal(p.n, 1);
    for (uint64_t page = 1; page <= 100; page++) {
        assert_int_equal(sass_pages_add(&p, page << SASS_PAGE_SHIFT), 0);
    }
    assert_int_equal(p.n, 101);
    assert_int_equal(sass_pages_room(&p, 1), UINT64_C(101) << SASS_PAGE_SHIFT);
    /* All of the 40 bits but the first 101 pages, and not a byte more. */
    assert_int_equal(sass_pages_room(&p, ((UINT64_C(1) << 19) - 101) << SASS_PAGE_SHIFT),
                     UINT64_C(101) << SASS_PAGE_SHIFT);
    assert_int_equal(sass_pages_room(&p, (((UINT64_C(1) << 19) - 101) << SASS_PAGE_SHIFT) + 1), 0);
    sass_pages_free(&p);
}

/* ---- programs ---- */

/* The instruction of the sealed table that came from PC `pc`. */
static const struct isa_inst *at_pc(uint32_t pc)
{
    for (uint32_t e = 0; e < kernel.program.n; e++) {
        if (kernel.program.entry[e].pc == pc) {
            return &kernel.isa.inst[kernel.program.entry[e].index];
        }
    }
    fail();
    return NULL;
}

/* An instruction's number is its PC in instructions; a gap too wide is shortened to one. */
static void gaps(void **state)
{
    char *text = changed("0020 0000ffff", "0120 0000ffff");

    (void)state;
    assert_int_equal(scan_bytes(BODY, 0, false), -1);
    forget();
    assert_int_equal(scan_bytes(text, strlen(text), false), 0);
    assert_int_equal(kernel.isa.n_inst, 0x12 + 1);
    assert_int_equal(at_pc(0x10) - at_pc(0), 1);
    assert_int_equal(at_pc(0x30) - at_pc(0x10), 2);
    assert_int_equal(at_pc(0x120) - at_pc(0x30), 15);
    assert_int_equal(at_pc(0x10)->line, 17);
    assert_string_equal(at_pc(0x10)->text, "LDG.E");
    forget();
    free(text);
    text = changed("0020 0000ffff", "fffffff0 0000ffff");
    assert_int_equal(scan_bytes(text, strlen(text), false), 0);
    assert_int_equal(kernel.isa.n_inst, 4 + 1 + 1); /* at 0x20, and the wide one */
    forget();
    free(text);
}

/* Kepler and Pascal code is in steps of 8 bytes: 0, 8, then a gap to 24. */
static void steps_of_eight(void **state)
{
    static const char *const FROM[] = {"version = 70", "0010 ffffffff 1 R2", "0020 0000ffff",
                                       "0030 f"};
    static const char *const TO[] = {"version = 35", "0008 ffffffff 1 R2", "0018 0000ffff",
                                     "0030 f"};
    char text[sizeof HEAD + sizeof BODY];

    (void)state;
    snprintf(text, sizeof text, "%s%s", HEAD, BODY);
    for (size_t c = 0; c < 4; c++) {
        memcpy(strstr(text, FROM[c]), TO[c], strlen(TO[c]));
    }
    memcpy(strstr(text, "STG.E"), "ST.E ", 5); /* Kepler's name */
    assert_int_equal(scan_bytes(text, strlen(text), false), 0);
    assert_int_equal(at_pc(0x08) - at_pc(0), 1);
    assert_int_equal(at_pc(0x18) - at_pc(0x08), 2);
    assert_int_equal(at_pc(0x30) - at_pc(0x18), 3);
    assert_int_equal(at_pc(0x18)->space, ISA_SPACE_GLOBAL);
    forget();
}

/* Before version 3 block and warp stand in front of the PC; with line information, the line. */
static void fields_in_front(void **state)
{
    static const struct {
        const char *version, *front;
    } LAYOUTS[] = {
        {"-accelsim tracer version = 2\n", "0 0 0 1 "},
        {"", "0 0 0 1 "},
        {"-accelsim tracer version = 3\n-enable lineinfo = 1\n", "57 "},
        {"-accelsim tracer version = 2\n-enable lineinfo = 1\n", "0 0 0 1 57 "},
    };
    static const char WARP[] = "warp = 0\ninsts = 2\n%s0000 ffffffff 1 R1 S2R 0 0\n"
                               "%s0010 ffffffff 0 EXIT 0 0\n#END_TB\n";
    char text[1024], lines[256];

    (void)state;
    for (size_t l = 0; l < sizeof LAYOUTS / sizeof LAYOUTS[0]; l++) {
        snprintf(lines, sizeof lines, WARP, LAYOUTS[l].front, LAYOUTS[l].front);
        snprintf(text, sizeof text,
                 "-kernel name = k\n-grid dim = (1,1,1)\n"
                 "-block dim = (32,1,1)\n-shmem = 0\n-nregs = 8\n-binary version = 70\n%s"
                 "#traces format\n#BEGIN_TB\nthread block = 0,0,0\n%s",
                 LAYOUTS[l].version, lines);
        assert_int_equal(scan_bytes(text, strlen(text), false), 0);
        assert_int_equal(kernel.instructions, 2);
        assert_int_equal(at_pc(0x10) - at_pc(0), 1);
        forget();
    }
}

/* Blanks and tabs part the fields; both readings take the line for the same instruction. */
static void tabs(void **state)
{
    char *text = changed("R1 4 1 0x40000000 4", "R1 4\t1\t0x40000000 \t 4\t");
    struct sass_launch *launch;
    struct isa_launch isa;
    struct sass_input in;
    struct isa_warp *warp;
    struct isa_memop memop;

    (void)state;
    assert_int_equal(scan_bytes(text, strlen(text), false), 0);
    assert_int_equal(kernel.program.n, 4);
    assert_int_equal(
        sass_input_memory(&in, "k.traceg", text, strlen(text), message, sizeof message), 0);
    launch = sass_launch_open(&kernel, &in, &isa);
    assert_non_null(launch);
    warp = calloc(2, isa.warp_bytes);
    for (uint32_t w = 0; w < 2; w++) {
        isa.warp_start(isa.self, (struct isa_warp *)((char *)warp + w * isa.warp_bytes),
                       &(struct isa_warp_place){.warp_in_cta = w});
    }
    for (uint32_t s = 0; s < 4; s++) {
        struct isa_step step = {.kind = ISA_STEP_DONE};

        assert_false(warp->done);
        isa.step(isa.self, warp, s, &step, &memop);
        assert_int_equal(step.kind, s == 1 || s == 2 ? ISA_STEP_MEMORY : ISA_STEP_DONE);
        if (s == 1) {
            assert_true(memop.mask == UINT32_MAX && memop.addr[31] == 0x4000007c);
        }
    }
    assert_true(warp->done);
    for (uint32_t w = 0; w < 2; w++) {
        isa.warp_end(isa.self, (struct isa_warp *)((char *)warp + w * isa.warp_bytes));
    }
    free(warp);
    sass_launch_close(launch);
    sass_input_close(&in);
    forget();
    free(text);
}

/* A file that is another one at its second reading is a fault of the first step, no more. */
static void changed_file(void **state)
{
    static const char *const OTHERS[][2] = {
        {"S2R 0 0", "S2R 1 R7 0"}, {"0020 0000ffff", "0020 zz"}, {"insts = 4", "insts = 9"}};
    char *text = changed("", "");

    (void)state;
    for (size_t o = 0; o < sizeof OTHERS / sizeof OTHERS[0]; o++) {
        char *other = changed(OTHERS[o][0], OTHERS[o][1]);
        struct isa_step step = {.kind = ISA_STEP_DONE};
        struct sass_launch *launch;
        struct isa_launch isa;
        struct sass_input in;
        struct isa_memop memop;
        struct isa_warp *warp;

        assert_int_equal(scan_bytes(text, strlen(text), false), 0);
        sass_input_memory(&in, "k.traceg", other, strlen(other), message, sizeof message);
        launch = sass_launch_open(&kernel, &in, &isa);
        assert_non_null(launch);
        warp = calloc(1, isa.warp_bytes);
        isa.warp_start(isa.self, warp, &(struct isa_warp_place){.warp_in_cta = 0});
        assert_false(warp->done);
        isa.step(isa.self, warp, 0, &step, &memop);
        assert_int_equal(step.kind, ISA_STEP_FAULT);
        assert_memory_equal(step.fault, "k.traceg:", 9);
        isa.warp_end(isa.self, warp);
        free(warp);
        sass_launch_close(launch);
        sass_input_close(&in);
        forget();
        free(other);
    }
    free(text);
}

/* R1 = tid; loop: R2 = [R1]; R3 = [R2] (indirect); R1 = R1 + R4; STS [R3]; branch back. */
static void origins(void **state)
{
    static const char LOOP[] = "insts = 13\n"
                               "0000 ffffffff 1 R1 S2R 0 0\n"
                               "0010 ffffffff 1 R4 MOV 0 0\n"
                               "0020 ffffffff 1 R2 LDG.E 1 R1 4 1 0x40000000 4\n"
                               "0030 ffffffff 1 R3 LDG.E 1 R2 4 1 0x40000000 4\n"
                               "0040 ffffffff 1 R1 IADD3 2 R1 R4 0\n"
                               "0050 ffffffff 0 STS 2 R3 R4 4 1 0x0 4\n"
                               "0060 0000ffff 0 BRA 0 0\n"
                               "0020 0000ffff 1 R2 LDG.E 1 R1 4 1 0x40000000 4\n"
                               "0030 0000ffff 1 R3 LDG.E 1 R2 4 1 0x40000000 4\n"
                               "0040 0000ffff 1 R1 IADD3 2 R1 R4 0\n"
                               "0050 0000ffff 0 STS 2 R3 R4 4 1 0x0 4\n"
                               "0060 00000000 0 BRA 0 0\n"
                               "0070 ffffffff 0 EXIT 0 0\n";
    const char *old = strstr(BODY, "insts = 4"), *end = strstr(BODY, "warp = 1");
    char lines[512];

    (void)state;
    snprintf(lines, sizeof lines, "%.*s", (int)(end - old), old);
    assert_int_equal(scan_changed(lines, LOOP), 0);
    assert_int_equal(at_pc(0x20)->origin,
                     ISA_FROM_TID | ISA_FROM_CTAID | ISA_FROM_PARAM | ISA_FROM_INDUCTION);
    assert_int_equal(at_pc(0x30)->origin, ISA_FROM_LOADED);
    assert_int_equal(at_pc(0x50)->origin, ISA_FROM_LOADED);
    assert_int_equal(at_pc(0x00)->loop_depth, 0);
    assert_int_equal(at_pc(0x20)->loop_depth, 1);
    assert_int_equal(at_pc(0x60)->loop_depth, 1);
    assert_int_equal(at_pc(0x70)->loop_depth, 0);
    forget();
}

/* Lanes that take the other side of a branch do not come from the first side: no loop, though
 * the trace goes back in PCs. */
static void divergence_is_no_loop(void **state)
{
    static const char SIDES[] = "insts = 5\n"
                                "0000 ffffffff 1 R1 S2R 0 0\n"
                                "0010 0000ffff 0 BRA 0 0\n"
                                "0030 0000ffff 1 R2 LDG.E 1 R1 4 1 0x40000000 4\n"
                                "0020 ffff0000 1 R1 LDS 1 R1 4 1 0x0 4\n"
                                "0040 ffffffff 0 EXIT 0 0\n";
    const char *old = strstr(BODY, "insts = 4"), *end = strstr(BODY, "warp = 1");
    char lines[512];

    (void)state;
    snprintf(lines, sizeof lines, "%.*s", (int)(end - old), old);
    assert_int_equal(scan_changed(lines, SIDES), 0);
    assert_int_equal(at_pc(0x20)->loop_depth, 0);
    assert_int_equal(at_pc(0x30)->loop_depth, 0);
    assert_int_equal(at_pc(0x30)->origin, ISA_FROM_TID | ISA_FROM_CTAID);
    forget();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes),
        cmocka_unit_test(packed_and_unpacked),
        cmocka_unit_test(opcodes),
        cmocka_unit_test(versions),
        cmocka_unit_test(generic_windows),
        cmocka_unit_test(pages),
        cmocka_unit_test(gaps),
        cmocka_unit_test(steps_of_eight),
        cmocka_unit_test(fields_in_front),
        cmocka_unit_test(tabs),
        cmocka_unit_test(changed_file),
        cmocka_unit_test(origins),
        cmocka_unit_test(divergence_is_no_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
