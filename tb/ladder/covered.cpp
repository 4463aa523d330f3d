// covered.cpp - the RTL binding of a model that counts lines and toggles.
//
// Compiled in place of rtl_binding.cpp (tb/ladder/covered.mk).  The context handed to create
// is the name of a folder: when an instance is destroyed, its counts go to a new file there.
#include "units/unit.h"

// The binding's own backend stays behind the one below.
#define unit_backend(...) uncounted_backend(__VA_ARGS__)
#include "tb/rtl_binding.cpp"
#undef unit_backend

#include <string>

#include "verilated_cov.h"

namespace
{

struct covered {
    instance *inner;
    std::string folder;
    bool defined; // it has been reset, or evaluated
};

// The counters lie in the model: they are written before it goes.
void write_counts(covered &counted, const char *ending)
{
    static unsigned written = 0;
    const std::string file = counted.folder + "/" + std::to_string(written++) + ending;
    counted.inner->context.coveragep()->write(file.c_str());
}

instance *inner_of(void *self)
{
    return static_cast<covered *>(self)->inner;
}

void *covered_create(void *context, uint64_t seed)
{
    auto *inner = static_cast<instance *>(create(nullptr, seed));
    return inner != nullptr ? new covered{inner, static_cast<const char *>(context), false}
                            : nullptr;
}

void covered_destroy(void *self)
{
    auto *counted = static_cast<covered *>(self);
    write_counts(*counted, ".dat");
    destroy(counted->inner);
    delete counted;
}

// What changes because signals come out of their arbitrary first contents was not brought
// about by a test: toggles count from here on.  The lines before, among them what is evaluated
// only once, are kept apart.
void begin_counting(covered &counted)
{
    counted.defined = true;
    write_counts(counted, ".settled");
    counted.inner->context.coveragep()->zero();
}

// Without registers, a first evaluation settles everything.
void covered_comb(void *self, const uint64_t *in, uint64_t *out)
{
    auto *counted = static_cast<covered *>(self);
    comb(counted->inner, in, out);
    if (!sequential && !counted->defined) {
        begin_counting(*counted);
    }
}

// Else a first edge with reset does, and counting begins with a second one.
void covered_seq(void *self, const uint64_t *in, bool rst)
{
    auto *counted = static_cast<covered *>(self);
    seq(counted->inner, in, rst);
    if (rst && !counted->defined) {
        begin_counting(*counted);
        seq(counted->inner, in, rst);
    }
}

const void *covered_state(void *self)
{
    return state(inner_of(self));
}

// A load makes a new model, with counters of its own.
void covered_load(void *self, const void *from)
{
    write_counts(*static_cast<covered *>(self), ".dat");
    inner_of(self)->context.coveragep()->clear();
    static_cast<covered *>(self)->defined = true;
    load(inner_of(self), from);
}

const struct unit_backend covered_backend = {&unit_desc,     UNIT_FORM,       nullptr,
                                             covered_create, covered_destroy, covered_comb,
                                             covered_seq,    covered_state,   covered_load};
} // namespace

extern "C" __attribute__((visibility("default"))) const struct unit_backend *unit_backend(void)
{
    return &covered_backend;
}
