// cache_model.cpp - a cache model of a trace-driven simulator whose warp table is the unit oaws_epoch:
// state is saved, the unit goes on, and is put back.
//   c++ cache_model.cpp $(pkg-config --cflags --libs warplock-units)
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
#include <warplock-units.h>

class Unit
{
  public:
    Unit(wl_library *library, const std::string &name, const std::string &parameters,
         const std::string &backend)
    {
        char error[1024];
        unit_.reset(wl_unit_open(library, name.c_str(), parameters.c_str(), backend.c_str(), error,
                                 sizeof error));
        if (!unit_) {
            throw std::runtime_error(error);
        }
    }
    void set(const char *input, uint64_t value)
    {
        wl_set(unit_.get(), wl_input(unit_.get(), input), value);
    }
    uint64_t get(const char *output) const
    {
        return wl_get(unit_.get(), wl_output(unit_.get(), output));
    }
    void settle()
    {
        wl_settle(unit_.get());
    }
    void step()
    {
        wl_step(unit_.get());
    }
    std::vector<char> save() const
    {
        std::vector<char> state(wl_state_bytes(unit_.get()));
        wl_save(unit_.get(), state.data());
        return state;
    }
    void load(const std::vector<char> &state)
    {
        wl_load(unit_.get(), state.data());
    }

  private:
    struct Close {
        void operator()(wl_unit *unit) const
        {
            wl_unit_close(unit);
        }
    };
    std::unique_ptr<wl_unit, Close> unit_;
};

// Cycles until the next ageing.
static unsigned cycles_to_tick(Unit &epoch)
{
    for (unsigned cycles = 1;; cycles++) {
        epoch.set("enable", 1);
        epoch.settle();
        const bool tick = epoch.get("age_tick") != 0;
        epoch.step();
        if (tick) {
            return cycles;
        }
    }
}

int main()
{
    char error[1024];
    std::unique_ptr<wl_library, void (*)(wl_library *)> library(
        wl_open(nullptr, error, sizeof error), wl_close);
    if (!library) {
        std::fprintf(stderr, "%s\n", error);
        return 1;
    }
    Unit epoch(library.get(), "oaws_epoch", "EPOCH=32", "rtl");
    const unsigned first = cycles_to_tick(epoch);
    for (int i = 0; i < 10; i++) {
        epoch.settle();
        epoch.step();
    }
    const std::vector<char> state = epoch.save();
    const unsigned rest = cycles_to_tick(epoch);
    epoch.load(state);
    const unsigned again = cycles_to_tick(epoch);
    std::printf("period %u, from the saved state %u and again %u\n", first, rest, again);
    return !(first == 32 && rest == 22 && again == 22);
}
