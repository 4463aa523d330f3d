/* golden.c - a unit's executable reference as a backend.
 *
 * Speaks with tb/golden/serve.py over a socket: first a line of JSON, the unit's parameters and
 * ports; then messages: 'c' and the inputs, answered by the outputs, and 's' or 'r' and the inputs,
 * a clock edge without or with reset, not answered.  Slots go as 64-bit words of the host.
 * Messages wait until an answer is wanted: a step is one exchange. */
#include "tb/golden.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAITING = 64 };

struct reference {
    const struct unit_desc *desc;
    char server[PATH_MAX], file[PATH_MAX];
};

struct golden {
    const struct reference *reference;
    pid_t process;
    int socket;
    bool failed;
    size_t message_bytes;    /* a byte and the inputs */
    unsigned char *messages; /* WAITING of them, not sent yet */
    size_t waiting;
};

static bool send_all(int to, const void *bytes, size_t n)
{
    const char *at = bytes;
    while (n > 0) {
        const ssize_t sent = send(to, at, n, MSG_NOSIGNAL);
        if (sent <= 0) {
            return false;
        }
        at += sent;
        n -= (size_t)sent;
    }
    return true;
}

static void failed(struct golden *self)
{
    if (!self->failed) {
        fprintf(stderr, "%s: the reference stopped; from here on its outputs are all ones\n",
                self->reference->file);
    }
    self->failed = true;
}

static void send_waiting(struct golden *self)
{
    if (!self->failed &&
        !send_all(self->socket, self->messages, self->waiting * self->message_bytes)) {
        failed(self);
    }
    self->waiting = 0;
}

static void say(struct golden *self, char kind, const uint64_t *in)
{
    if (self->waiting == WAITING) {
        send_waiting(self);
    }
    unsigned char *message = self->messages + self->waiting++ * self->message_bytes;
    message[0] = (unsigned char)kind;
    memcpy(message + 1, in, self->message_bytes - 1);
}

static json_t *ports_json(const struct unit_port *ports, unsigned n)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < n; i++) {
        json_array_append_new(list, json_pack("[s, i, i, b]", ports[i].name, (int)ports[i].width,
                                              (int)ports[i].lanes, ports[i].is_array));
    }
    return list;
}

/* Parameters with their values; ports as [name, width, lanes, is an array]. */
static bool introduce(const struct golden *self)
{
    const struct unit_desc *desc = self->reference->desc;
    json_t *parameters = json_object();
    for (unsigned i = 0; i < desc->n_params; i++) {
        json_object_set_new(parameters, desc->params[i].name, json_integer(desc->params[i].value));
    }
    json_t *root = json_pack("{s:o, s:o, s:o}", "parameters", parameters, "in",
                             ports_json(desc->in, desc->n_in), "out",
                             ports_json(desc->out, desc->n_out));
    char *text = json_dumps(root, JSON_COMPACT);
    const bool sent = text != NULL && send_all(self->socket, text, strlen(text)) &&
                      send_all(self->socket, "\n", 1);
    free(text);
    json_decref(root);
    return sent;
}

static pid_t start(const struct reference *reference, int socket)
{
    const pid_t process = fork();
    if (process == 0) {
        if (dup2(socket, 0) >= 0 && dup2(socket, 1) >= 0) {
            execlp("python3", "python3", "-B", reference->server, reference->file, (char *)NULL);
            perror("python3");
        }
        _exit(127);
    }
    return process;
}

static void destroy(void *self_)
{
    struct golden *self = self_;
    if (self->socket >= 0) {
        close(self->socket);
    }
    if (self->process > 0) {
        waitpid(self->process, NULL, 0);
    }
    free(self->messages);
    free(self);
}

/* What a reference holds before its first reset is its own affair, so `seed` is not used. */
static void *create(void *context, uint64_t seed)
{
    (void)seed;
    const struct reference *reference = context;
    struct golden *self = calloc(1, sizeof *self);
    int ends[2] = {-1, -1};
    if (self == NULL) {
        return NULL;
    }
    self->reference = reference;
    self->message_bytes = 1 + reference->desc->in_slots * sizeof(uint64_t);
    self->messages = malloc(WAITING * self->message_bytes);
    self->socket = -1;
    if (self->messages == NULL || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        destroy(self);
        return NULL;
    }
    self->socket = ends[0];
    self->process = start(reference, ends[1]);
    close(ends[1]);
    if (self->process < 0 || !introduce(self)) {
        failed(self);
    }
    return self;
}

static void comb(void *self_, const uint64_t *in, uint64_t *out)
{
    struct golden *self = self_;
    const size_t n = self->reference->desc->out_slots * sizeof *out;
    say(self, 'c', in);
    send_waiting(self);
    if (!self->failed && recv(self->socket, out, n, MSG_WAITALL) != (ssize_t)n) {
        failed(self);
    }
    if (self->failed) {
        memset(out, 0xff, n);
    }
}

static void seq(void *self_, const uint64_t *in, bool rst)
{
    struct golden *self = self_;
    if (self->reference->desc->kind == UNIT_SEQUENTIAL) {
        say(self, rst ? 'r' : 's', in);
    }
}

struct unit_backend *golden_backend_new(const struct unit_desc *desc, const char *root,
                                        const char *file)
{
    struct unit_backend *backend = calloc(1, sizeof *backend);
    struct reference *reference = calloc(1, sizeof *reference);
    if (backend == NULL || reference == NULL) {
        free(backend);
        free(reference);
        return NULL;
    }
    reference->desc = desc;
    snprintf(reference->file, sizeof reference->file, "%s", file);
    snprintf(reference->server, sizeof reference->server, "%.*s/tb/golden/serve.py", PATH_MAX - 32,
             root);
    *backend = (struct unit_backend){desc, "golden", reference, create, destroy,
                                     comb, seq,      NULL,      NULL};
    return backend;
}

void golden_backend_free(struct unit_backend *backend)
{
    if (backend != NULL) {
        free(backend->context);
        free(backend);
    }
}

bool golden_is(const struct unit_backend *backend)
{
    return backend->create == create;
}
