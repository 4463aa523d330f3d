/* commands.h - the subcommands of warplock: one file each, cmd_<name>.c.
 *
 * Each takes its own argc/argv (argv[0] is "warplock NAME") and returns an exit
 * status of base/verdict.h. */
#ifndef WARPLOCK_CLI_COMMANDS_H
#define WARPLOCK_CLI_COMMANDS_H

int cmd_list(int argc, char **argv);
int cmd_ports(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_concentration(int argc, char **argv);
int cmd_chapter(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_work(int argc, char **argv);
int cmd_status(int argc, char **argv);
int cmd_results(int argc, char **argv);
int cmd_scoreboard(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_cost(int argc, char **argv);
int cmd_litmus(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_cuda(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_new(int argc, char **argv);
int cmd_adopt(int argc, char **argv);
/* Scripts of the tree (cmd_script.c). */
int cmd_prove(int argc, char **argv);
int cmd_properties(int argc, char **argv);
int cmd_fuzz(int argc, char **argv);
int cmd_waves(int argc, char **argv);
int cmd_mutate(int argc, char **argv);
int cmd_coverage(int argc, char **argv);

#endif
