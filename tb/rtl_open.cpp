// rtl_open.cpp - the RTL binding, and a view of everything inside the model.
//
// Compiled in place of rtl_binding.cpp for a model verilated with --vpi and all signals
// public (tb/open.mk); the names come from Verilator's own scope tables.
#include "units/unit.h"

// The binding's own backend stays behind the one below.
#define unit_backend(...) closed_backend(__VA_ARGS__)
#include "tb/rtl_binding.cpp"
#undef unit_backend

#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

#include "tb/inside.h"
#include "verilated_sym_props.h"
#include "verilated_syms.h"

namespace
{

// Where 64 bits or less of a signal lie.
struct place {
    std::string scope, name;
    const unsigned char *data;
    unsigned bytes, width;
};

// Bytes of one element as Verilator stores it.
unsigned stored_bytes(const VerilatedVar &var, unsigned width)
{
    switch (var.vltype()) {
    case VLVT_UINT8: return 1;
    case VLVT_UINT16: return 2;
    case VLVT_UINT32: return 4;
    case VLVT_UINT64: return 8;
    case VLVT_WDATA: return (width + 31) / 32 * 4;
    default: return 0;
    }
}

void add_element(std::vector<place> &places, const std::string &scope, const std::string &name,
                 const unsigned char *data, unsigned width)
{
    if (width <= 64) {
        places.push_back({scope, name, data, (width + 7) / 8, width});
        return;
    }
    for (unsigned low = 0; low < width; low += 64) {
        const unsigned part = width - low < 64 ? width - low : 64;
        places.push_back({scope,
                          name + "_" + std::to_string(low + part - 1) + "_" + std::to_string(low),
                          data + low / 8, (part + 7) / 8, part});
    }
}

void add_variable(std::vector<place> &places, const std::string &scope, const VerilatedVar &var)
{
    const unsigned width = unsigned(var.packed().elements());
    const unsigned bytes = stored_bytes(var, width);
    if (var.isParam() || bytes == 0 || var.udims() > 1) {
        return;
    }
    const auto *data = static_cast<const unsigned char *>(var.datap());
    if (var.udims() == 0) {
        add_element(places, scope, var.name(), data, width);
        return;
    }
    const unsigned depth = unsigned(var.unpacked().elements());
    for (unsigned i = 0; i < depth; i++) {
        add_element(places, scope, std::string(var.name()) + "_" + std::to_string(i),
                    data + size_t(i) * bytes, width);
    }
}

// The scopes of one model, the unit's own name left out; TOP has but copies of the ports.
std::vector<place> find_places(instance &of)
{
    std::vector<place> places;
    const std::string unit = std::string("TOP.") + UNIT_TEXT(UNIT_NAME);
    for (const auto &entry : *of.context.scopeNameMap()) {
        const std::string path = entry.first;
        if (path.compare(0, unit.size(), unit) != 0 || entry.second->varsp() == nullptr) {
            continue;
        }
        const std::string scope = path.size() > unit.size() ? path.substr(unit.size() + 1) : "";
        for (const auto &var : *entry.second->varsp()) {
            add_variable(places, scope, var.second);
        }
    }
    return places;
}

// An instance of the binding, and where its signals are.
struct opened {
    instance *inner;
    std::vector<place> places;
};

opened *opened_of(void *self)
{
    return static_cast<opened *>(self);
}

void *open_create(void *context, uint64_t seed)
{
    auto *inner = static_cast<instance *>(create(context, seed));
    return inner != nullptr ? new opened{inner, find_places(*inner)} : nullptr;
}

void open_destroy(void *self)
{
    destroy(opened_of(self)->inner);
    delete opened_of(self);
}

void open_comb(void *self, const uint64_t *in, uint64_t *out)
{
    comb(opened_of(self)->inner, in, out);
}

void open_seq(void *self, const uint64_t *in, bool rst)
{
    seq(opened_of(self)->inner, in, rst);
}

const void *open_state(void *self)
{
    return state(opened_of(self)->inner);
}

// A load makes a new model, with its signals elsewhere.
void open_load(void *self, const void *from)
{
    load(opened_of(self)->inner, from);
    opened_of(self)->places = find_places(*opened_of(self)->inner);
}

size_t inside_count(void *self)
{
    return opened_of(self)->places.size();
}

void inside_describe(void *self, size_t i, struct inside_signal *signal)
{
    const place &at = opened_of(self)->places[i];
    std::snprintf(signal->scope, sizeof signal->scope, "%s", at.scope.c_str());
    std::snprintf(signal->name, sizeof signal->name, "%s", at.name.c_str());
    signal->width = at.width;
}

void inside_values(void *self, uint64_t *values)
{
    for (const place &at : opened_of(self)->places) {
        uint64_t value = 0;
        std::memcpy(&value, at.data, at.bytes);
        *values++ = at.width == 64 ? value : value & ((uint64_t(1) << at.width) - 1);
    }
}

const struct inside inside_view = {inside_count, inside_describe, inside_values};
const struct unit_backend open_backend = {
    &unit_desc,  UNIT_FORM,    const_cast<struct inside *>(&inside_view),
    open_create, open_destroy, open_comb,
    open_seq,    open_state,   open_load};
} // namespace

extern "C" __attribute__((visibility("default"))) const struct unit_backend *unit_backend(void)
{
    return &open_backend;
}
