// mutants.cpp - the RTL binding of a model that holds many mutants of one unit.
//
// Compiled in place of rtl_binding.cpp for what tb/ladder/mutants.mk makes: one more input,
// mutsel, says which mutant acts; 0 is the unit as it is.  The context handed to create
// points to that number (struct unit_backend), which stays for the instance's life.
#include "units/unit.h"

// The binding's own backend stays behind the one below.
#define unit_backend(...) unselected_backend(__VA_ARGS__)
#include "tb/rtl_binding.cpp"
#undef unit_backend

namespace
{

void *mutant_create(void *context, uint64_t seed)
{
    auto *self = static_cast<instance *>(create(nullptr, seed));
    if (self == nullptr) {
        return nullptr;
    }
    self->model->mutsel = *static_cast<const unsigned *>(context);
    self->model->eval();
    return self;
}

// A load makes a new model, whose selector is to be set again.
void mutant_load(void *self, const void *from)
{
    auto *instance_ = static_cast<instance *>(self);
    const auto selected = instance_->model->mutsel;
    load(self, from);
    instance_->model->mutsel = selected;
    instance_->model->eval();
}

const struct unit_backend mutant_backend = {&unit_desc, UNIT_FORM, nullptr, mutant_create, destroy,
                                            comb,       seq,       state,   mutant_load};
} // namespace

extern "C" __attribute__((visibility("default"))) const struct unit_backend *unit_backend(void)
{
    return &mutant_backend;
}
