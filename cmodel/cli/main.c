/* main.c - the `warplock` command: finds the subcommand and hands over. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/verdict.h"
#include "cli/commands.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *doc;
} commands[] = {
    {"run", cmd_run, "simulate a workload or a PTX kernel on a machine"},
    {"trace", cmd_trace, "look into SASS traces, check, convert, cut and compare them"},
    {"cuda", cmd_cuda, "run a CUDA program with its kernels on a machine"},
    {"chapter", cmd_chapter, "run a document's comparison again and print it beside its figures"},
    {"litmus", cmd_litmus, "litmus tests of memory models on a machine with a coherence protocol"},
    {"check", cmd_check, "compare a unit's C model, RTL and netlist: vectors, then random steps"},
    {"replay", cmd_replay, "play a saved sequence of steps again"},
    {"concentration", cmd_concentration,
     "intra-warp concentration of every set index, in lockstep"},
    {"cost", cmd_cost, "hardware cost: storage, gates, area, delay, and the documents' claims"},
    {"list", cmd_list, "list units, workloads, configurations, mechanisms"},
    {"ports", cmd_ports, "show a unit's parameters, ports and state"},
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static void usage(FILE *to)
{
    fputs("Usage: warplock COMMAND [OPTION...]\n"
          "Hardware proposals for GPU memory systems, made checkable.\n\nCommands:\n",
          to);
    for (size_t i = 0; i < N_COMMANDS; i++) {
        fprintf(to, "  %-14s %s\n", commands[i].name, commands[i].doc);
    }
    fputs("\n`warplock COMMAND --help` shows a command's options.\n"
          "Exit status: 0 pass, 1 mismatch, 2 bad use, 3 stuck, 4 assertion, 5 limit, 6 build\n"
          "failure.\n",
          to);
}

/* Compiled for newer computers, the program would end in an illegal instruction. */
static bool runs_here(void)
{
#ifdef NEEDS_AVX2
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("fma");
#else
    return true;
#endif
}

int main(int argc, char **argv)
{
    if (!runs_here()) {
        fputs("warplock: this computer has no AVX2, BMI2 or FMA, for which the program was "
              "compiled; set X86 := x86-64 in tb/compiler.mk and make again\n",
              stderr);
        return VERDICT_BUILD;
    }
    argp_err_exit_status = VERDICT_USAGE;
    if (argc < 2) {
        usage(stderr);
        return VERDICT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0 ||
        strcmp(argv[1], "help") == 0) {
        usage(stdout);
        return VERDICT_PASS;
    }
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            char name[64];
            snprintf(name, sizeof name, "warplock %s", commands[i].name);
            argv[1] = name;
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    fprintf(stderr, "warplock: no command '%s'; `warplock --help` lists them\n", argv[1]);
    return VERDICT_USAGE;
}
