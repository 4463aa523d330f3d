// rtl_binding.cpp - makes a backend of a Verilated model, RTL or netlist.
//
// The only C++ here, compiled once per unit, parameter set and form, with
//   UNIT_TABLE   the unit's table          UNIT_NAME    the unit
//   UNIT_MODEL   the Verilated class       UNIT_FORM    "rtl" or "netlist"
//   UNIT_STATE   1 when the registers of the table are visible in the model
// It knows no unit by name: every line about ports comes from the table.
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "units/unit.h"

#define UNIT_TEXT_(x) #x
#define UNIT_TEXT(x) UNIT_TEXT_(x)
#define UNIT_JOIN_(a, b) a##b
#define UNIT_JOIN(a, b) UNIT_JOIN_(a, b)
#include UNIT_TEXT(UNIT_MODEL.h)
#if UNIT_STATE
#include UNIT_TEXT(UNIT_JOIN(UNIT_MODEL, ___024root.h))
#endif

namespace
{
#include "units/table.h"

constexpr bool sequential = [] {
#define SEQUENTIAL true
#define COMBINATIONAL false
#undef UNIT
#define UNIT(name, kind, title, source) return kind;
#include UNIT_TABLE
#include "units/no_rows.h"
}();

// A port of at most 64 bits.
template <class T> void put(T &to, unsigned, unsigned, const uint64_t *from)
{
    to = static_cast<T>(*from);
}
template <class T> void get(const T &from, unsigned, unsigned, uint64_t *to)
{
    *to = from;
}

// Element `i` of `width` bits of a flat vector in 32-bit words.
inline uint64_t word_field(const uint32_t *words, unsigned width, unsigned i)
{
    uint64_t value = 0;
    for (unsigned done = 0; done < width;) {
        const unsigned bit = i * width + done, shift = bit % 32;
        const unsigned take = width - done < 32 - shift ? width - done : 32 - shift;
        value |= ((uint64_t(words[bit / 32]) >> shift) & ((uint64_t(1) << take) - 1)) << done;
        done += take;
    }
    return value;
}
inline void set_word_field(uint32_t *words, unsigned width, unsigned i, uint64_t value)
{
    for (unsigned done = 0; done < width;) {
        const unsigned bit = i * width + done, shift = bit % 32;
        const unsigned take = width - done < 32 - shift ? width - done : 32 - shift;
        words[bit / 32] |= uint32_t(((value >> done) & ((uint64_t(1) << take) - 1)) << shift);
        done += take;
    }
}

// Array ports: flat vectors, narrow or in words.
template <class T> void put_array(T &to, unsigned width, unsigned lanes, const uint64_t *from)
{
    uint32_t words[2] = {0, 0};
    for (unsigned i = 0; i < lanes; i++) {
        set_word_field(words, width, i, from[i]);
    }
    to = static_cast<T>(words[0] | uint64_t(words[1]) << 32);
}
template <std::size_t N>
void put_array(VlWide<N> &to, unsigned width, unsigned lanes, const uint64_t *from)
{
    std::memset(to.m_storage, 0, sizeof to.m_storage);
    for (unsigned i = 0; i < lanes; i++) {
        set_word_field(to.m_storage, width, i, from[i]);
    }
}
template <class T> void get_array(const T &from, unsigned width, unsigned lanes, uint64_t *to)
{
    const uint64_t elements = from, mask = UINT64_MAX >> (64 - width);
    for (unsigned i = 0; i < lanes; i++) {
        to[i] = elements >> i * width & mask;
    }
}
template <std::size_t N>
void get_array(const VlWide<N> &from, unsigned width, unsigned lanes, uint64_t *to)
{
    for (unsigned i = 0; i < lanes; i++) {
        to[i] = word_field(from.m_storage, width, i);
    }
}

#if UNIT_STATE
// What of a field was last read: of a flat vector in words the words, since a step changes few of
// them, and elements are taken out of those alone.
struct nothing {
};
template <class T> struct last_read {
    using type = nothing;
};
template <std::size_t N> struct last_read<VlWide<N>> {
    using type = uint32_t[N];
};

// State: a register; a memory, whose words are one element or several; or a flat vector of elements.
template <class F, class T> void read_field(F &to, unsigned, const T &from, nothing)
{
    to = static_cast<F>(from);
}
template <class F, std::size_t D, class T, std::size_t N>
void read_field(F (&to)[D], unsigned, const VlUnpacked<T, N> &from, nothing)
{
    static_assert(D % N == 0 && D * sizeof(F) == N * sizeof(T), "bits differ from the table");
    std::memcpy(to, from.m_storage, sizeof to);
}
template <class F, std::size_t D, class T>
void read_field(F (&to)[D], unsigned width, const T &from, nothing)
{
    uint64_t elements[D];
    get_array(from, width, D, elements);
    for (std::size_t i = 0; i < D; i++) {
        to[i] = static_cast<F>(elements[i]);
    }
}
template <class F, std::size_t D, std::size_t N>
void read_field(F (&to)[D], unsigned width, const VlWide<N> &from, uint32_t (&last)[N])
{
    for (std::size_t word = 0; word < N; word++) {
        if (from.m_storage[word] == last[word]) {
            continue;
        }
        last[word] = from.m_storage[word];
        const std::size_t end = (word * 32 + 31) / width + 1;
        for (std::size_t i = word * 32 / width; i < end && i < D; i++) {
            to[i] = static_cast<F>(word_field(from.m_storage, width, unsigned(i)));
        }
    }
}

// And back.
template <class F, class T> void write_field(const F &from, unsigned, T &to)
{
    to = static_cast<T>(from);
}
template <class F, std::size_t D, class T, std::size_t N>
void write_field(const F (&from)[D], unsigned, VlUnpacked<T, N> &to)
{
    std::memcpy(to.m_storage, from, sizeof from);
}
template <class F, std::size_t D, class T>
void write_field(const F (&from)[D], unsigned width, T &to)
{
    uint64_t elements[D];
    for (std::size_t i = 0; i < D; i++) {
        elements[i] = from[i];
    }
    put_array(to, width, D, elements);
}
#endif

// The clock pins exist in sequential units only, hence the templates.  A clock is low here before
// its edge, a reset high when it is active, whatever the pins are.
template <class M> bool clock_high(const M &model)
{
    if constexpr (sequential) {
        return model.UNIT_CLOCK != UNIT_CLOCK_FALLING;
    }
    return false;
}
template <class M> void set_clock(M &model, bool clk, bool rst)
{
    if constexpr (sequential) {
        model.UNIT_CLOCK = clk != UNIT_CLOCK_FALLING;
        model.UNIT_RESET = rst != UNIT_RESET_LOW;
    }
}

#if UNIT_STATE
#define AT_1(reg) UNIT_JOIN(UNIT_NAME, __DOT__##reg)
#define AT_2(unit, reg) UNIT_JOIN(UNIT_NAME, __DOT__##unit##__DOT__##reg)
#define AT_CHOOSE(a, b, chosen, ...) chosen
#define AT(...) AT_CHOOSE(__VA_ARGS__, AT_2, AT_1, )(__VA_ARGS__)
using model_root = UNIT_JOIN(UNIT_MODEL, ___024root);
struct last_state {
#undef STATE_ARRAY
#define STATE_ARRAY(name, width, depth, at, role, guard, doc) \
    last_read<std::remove_reference_t<decltype(std::declval<model_root &>().at)>>::type name;
#include UNIT_TABLE
#include "units/no_rows.h"
};
#else
struct last_state {
};
#endif

struct instance {
    VerilatedContext context;
    std::unique_ptr<UNIT_MODEL> model;
    struct state state;     // as last read
    struct last_state last; // the words it was read from
};

void *create(void *, uint64_t seed)
{
    auto *self = new (std::nothrow) instance();
    if (self == nullptr) {
        return nullptr;
    }
    self->context.threads(1);
    self->context.randReset(2);
    self->context.randSeed(static_cast<int>(seed % 0x7FFFFFFE) + 1);
    self->model.reset(new UNIT_MODEL(&self->context, "TOP"));
    std::memset(&self->state, 0, sizeof self->state);
    std::memset(&self->last, 0, sizeof self->last);
    set_clock(*self->model, false, false);
    self->model->eval();
    return self;
}

void remove_model(instance *self)
{
    // A model takes its scopes back from the thread's context, which may be another
    // instance's, or one that is gone.
    Verilated::threadContextp(&self->context);
    self->model->final();
    self->model.reset();
}

void destroy(void *self)
{
    auto *instance_ = static_cast<instance *>(self);
    remove_model(instance_);
    delete instance_;
}

void set_inputs(UNIT_MODEL &model, const uint64_t *slots)
{
    const struct in &in = *reinterpret_cast<const struct in *>(slots);
#undef IN
#undef IN_ARRAY
#define IN(name, width, draw, doc) put(model.name, width, 1, &in.name);
#define IN_ARRAY(name, width, lanes, draw, doc) put_array(model.name, width, lanes, in.name);
#include UNIT_TABLE
#include "units/no_rows.h"
}

void comb(void *self, const uint64_t *slots, uint64_t *out_slots)
{
    UNIT_MODEL &model = *static_cast<instance *>(self)->model;
    set_inputs(model, slots);
    set_clock(model, false, false);
    model.eval();
    struct out &out = *reinterpret_cast<struct out *>(out_slots);
#undef OUT
#undef OUT_ARRAY
#undef EVENT
#define OUT(name, width, when, guard, doc) get(model.name, width, 1, &out.name);
#define OUT_ARRAY(name, width, lanes, when, guard, doc) \
    get_array(model.name, width, lanes, out.name);
#define EVENT(name, when, doc) get(model.name, 1, 1, &out.name);
#include UNIT_TABLE
#include "units/no_rows.h"
}

void seq(void *self, const uint64_t *slots, bool rst)
{
    if (!sequential) {
        return;
    }
    UNIT_MODEL &model = *static_cast<instance *>(self)->model;
    set_inputs(model, slots);
    if (clock_high(model)) { // two edges without comb between them
        set_clock(model, false, false);
        model.eval();
    }
    set_clock(model, true, rst);
    model.eval();
}

#if UNIT_STATE
const void *state(void *self)
{
    auto *instance_ = static_cast<instance *>(self);
    auto &root = *instance_->model->rootp;
    struct state &s = instance_->state;
#undef STATE
#undef STATE_ARRAY
#define STATE(name, width, at, role, doc) read_field(s.name, width, root.at, nothing());
#define STATE_ARRAY(name, width, depth, at, role, guard, doc) \
    read_field(s.name, width, root.at, instance_->last.name);
#include UNIT_TABLE
#include "units/no_rows.h"
    (void)root;
    return &s;
}

// Only the first evaluation of a model computes everything from its registers, so they
// are written into a new one.
void load(void *self, const void *from)
{
    auto *instance_ = static_cast<instance *>(self);
    const struct state &s = *static_cast<const struct state *>(from);
    remove_model(instance_);
    instance_->model.reset(new UNIT_MODEL(&instance_->context, "TOP"));
    auto &root = *instance_->model->rootp;
#undef STATE
#undef STATE_ARRAY
#define STATE(name, width, at, role, doc) write_field(s.name, width, root.at);
#define STATE_ARRAY(name, width, depth, at, role, guard, doc) write_field(s.name, width, root.at);
#include UNIT_TABLE
#include "units/no_rows.h"
    (void)root, (void)s;
    set_clock(*instance_->model, false, false);
    instance_->model->eval();
}
#else
constexpr const void *(*state)(void *) = nullptr;
constexpr void (*load)(void *, const void *) = nullptr;
#endif

const struct unit_backend backend = {&unit_desc, UNIT_FORM, nullptr, create, destroy,
                                     comb,       seq,       state,   load};
} // namespace

extern "C" __attribute__((visibility("default"))) const struct unit_backend *unit_backend(void)
{
    return &backend;
}
