/* host_pages.h - huge pages for the heap. */
#ifndef WARPLOCK_CLI_HOST_PAGES_H
#define WARPLOCK_CLI_HOST_PAGES_H

/* Ask the host for huge pages under everything that malloc gives out from now on.  Call first
 * of all; without such pages nothing changes. */
void host_pages_ask(void);

#endif
