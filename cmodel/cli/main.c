/* main.c - the `warplock` command: finds the subcommand and hands over. */
#include <argp.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/abi.h"
#include "base/project.h"
#include "base/verdict.h"
#include "cli/commands.h"
#include "cli/plugin.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    bool simulates; /* needs the mechanisms and workloads of a project */
    const char *doc;
} commands[] = {
    {"run", cmd_run, true, "simulate a workload or a PTX kernel on a machine"},
    {"trace", cmd_trace, false, "look into SASS traces, check, convert, cut and compare them"},
    {"cuda", cmd_cuda, true, "run a CUDA program with its kernels on a machine"},
    {"chapter", cmd_chapter, true, "run a document's comparison again, beside its figures"},
    {"sweep", cmd_sweep, true, "run every point of an experiment once, here or on a cluster"},
    {"status", cmd_status, false, "what of an experiment has run, failed, is running"},
    {"results", cmd_results, true, "an experiment's results as a table, CSV, JSON; SQL"},
    {"work", cmd_work, true, "run points of a sweep's work folder (what sweeps start)"},
    {"scoreboard", cmd_scoreboard, true, "all results of all documents, and how ours compare"},
    {"report", cmd_report, true, "an experiment's results as one page of HTML with plots"},
    {"diff", cmd_diff, false, "compare two runs or two databases, counter by counter"},
    {"litmus", cmd_litmus, true, "litmus tests of memory models on a coherent machine"},
    {"check", cmd_check, false,
     "compare a unit's C model, RTL and netlist: vectors, then random steps"},
    {"replay", cmd_replay, false, "play a saved sequence of steps again"},
    {"prove", cmd_prove, false, "C model = RTL, for all inputs and states"},
    {"properties", cmd_properties, false, "what always holds of a unit's RTL, proven"},
    {"mutate", cmd_mutate, false, "does a unit's test notice a changed RTL?"},
    {"coverage", cmd_coverage, false, "what a unit's tests never reach"},
    {"fuzz", cmd_fuzz, false, "look for inputs on which C model and RTL differ"},
    {"waves", cmd_waves, false, "a unit's worked example as a waveform"},
    {"concentration", cmd_concentration, false,
     "intra-warp concentration of every set index, in lockstep"},
    {"cost", cmd_cost, false, "hardware cost: storage, gates, area, delay, and the claims"},
    {"list", cmd_list, true, "list units, workloads, configurations, mechanisms"},
    {"ports", cmd_ports, false, "show a unit's parameters, ports and state"},
    {"new", cmd_new, false, "begin a unit, mechanism or workload of your own"},
    {"adopt", cmd_adopt, false, "make a unit of Verilog that others wrote"},
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static void usage(FILE *to)
{
    fputs("Usage: warplock [--project DIR] COMMAND [OPTION...]\n"
          "Hardware proposals for GPU memory systems, made checkable.\n\nCommands:\n",
          to);
    for (size_t i = 0; i < N_COMMANDS; i++) {
        fprintf(to, "  %-14s %s\n", commands[i].name, commands[i].doc);
    }
    fputs("\n`warplock COMMAND --help` shows a command's options.\n"
          "--project: a folder with units, mechanisms, workloads of your own (`warplock new`);\n"
          "standard: $WARPLOCK_PROJECT, or the current folder if it is one.\n"
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

static int fail(const char *error)
{
    fprintf(stderr, "warplock: %s\n", error);
    return VERDICT_USAGE;
}

/* Run command `c` in the project; argv[0] is the command's name. */
static int run_command(size_t c, const char *project, int argc, char **argv)
{
    char name[64], error[2 * PATH_MAX];
    if (project_enter(project, error, sizeof error) != 0) {
        return fail(error);
    }
    if (commands[c].simulates &&
        plugin_load(commands[c].run != cmd_work, error, sizeof error) != 0) {
        return fail(error);
    }
    snprintf(name, sizeof name, "warplock %s", commands[c].name);
    argv[0] = name;
    return commands[c].run(argc, argv);
}

int main(int argc, char **argv)
{
    const char *project = NULL;
    if (!runs_here()) {
        fputs("warplock: this computer has no AVX2, BMI2 or FMA, for which the program was "
              "compiled; set X86 := x86-64 in tb/compiler.mk and make again\n",
              stderr);
        return VERDICT_BUILD;
    }
    argp_err_exit_status = VERDICT_USAGE;
    if (argc >= 2 && strcmp(argv[1], "--project") == 0) {
        if (argc < 3) {
            return fail("--project: name the folder of the project");
        }
        project = argv[2];
        argc -= 2;
        argv += 2;
    }
    if (argc < 2) {
        usage(stderr);
        return VERDICT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0 ||
        strcmp(argv[1], "help") == 0) {
        usage(stdout);
        return VERDICT_PASS;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("warplock " WARPLOCK_VERSION ", interface %d\n", WARPLOCK_ABI);
        return VERDICT_PASS;
    }
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            return run_command(i, project, argc - 1, argv + 1);
        }
    }
    fprintf(stderr, "warplock: no command '%s'; `warplock --help` lists them\n", argv[1]);
    return VERDICT_USAGE;
}
