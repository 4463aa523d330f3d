/* list_config.h - what a configuration comes to, with what it rests on. */
#ifndef WARPLOCK_CLI_LIST_CONFIG_H
#define WARPLOCK_CLI_LIST_CONFIG_H

#include <jansson.h>

/* Print every key of a configuration (a name, or an INI file): its value and the file and line that
 * give it; or, where `root` is not NULL, put them there.  An exit status; one line on standard error
 * when the configuration is refused. */
int list_config(const char *name, json_t *root);

#endif
