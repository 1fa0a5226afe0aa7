# Terrane's build. Not recursive; every object lies in build/$(config)/.
#   make               the program, build/release/terrane
#   make config=asan   the same with AddressSanitizer and UBSan (debug, tsan, fuzz, coverage likewise)
#   make demo | test | bench | lint | format | install
config ?= release
CC ?= gcc
ifeq ($(origin CC),default)
CC := gcc
endif
BUILD := build/$(config)
PREFIX ?= /usr/local

# The same bytes on every machine: no contraction, no reassociation (docs/decisions/0001). No trapping changes no
# value: it lets gcc turn branches into selects, without which its vectoriser gives up.
FPFLAGS := -ffp-contract=off -fno-fast-math -fno-math-errno -fno-trapping-math
is_clang := $(shell $(CC) --version 2>/dev/null | grep -c clang)
ifeq ($(is_clang),0)
FPFLAGS += -fexcess-precision=standard
# gcc 12 -O3 gets running sums with a first case wrong (tests/unit/test_compiler.c)
FPFLAGS += -fno-tree-loop-distribution -fno-tree-loop-distribute-patterns
endif

# -Wno-format-truncation: messages are cut to their buffer on purpose
WARN := -Wall -Wextra -Wshadow -Wconversion -Wdouble-promotion -Wcast-qual -Wstrict-prototypes \
        -Wmissing-prototypes -Wvla -Wundef -Wformat=2 -Wswitch-enum -Wwrite-strings -Wno-unknown-warning-option -Wno-format-truncation -Werror
DEFS := -D_POSIX_C_SOURCE=200809L
LIBS := -lpng16 -lz -lyaml -ljansson -lxxhash -ldeflate -lmeshoptimizer -lpthread -lm
PKG_CFLAGS := -I/usr/include/stb -I/usr/include/libpng16
OPT_release  := -O3 -g -DNDEBUG
OPT_debug    := -O0 -g
OPT_asan     := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
OPT_tsan     := -O1 -g -fsanitize=thread
OPT_fuzz     := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
OPT_coverage := -O0 -g --coverage
OPT := $(OPT_$(config))
ifeq ($(OPT),)
$(error config=$(config) is none of release debug asan tsan fuzz coverage)
endif
CFLAGS ?=
ALL_CFLAGS := -std=c17 -pedantic -I. $(PKG_CFLAGS) $(DEFS) $(OPT) $(FPFLAGS) $(WARN) -MMD -MP $(CFLAGS)
ALL_LDFLAGS := $(OPT) $(FPFLAGS) $(LDFLAGS)
# objects depend on this file, which changes only when a flag does
FLAGS := $(strip $(CC) $(ALL_CFLAGS) $(LDFLAGS) $(LIBS))
ifneq ($(file <$(BUILD)/flags),$(FLAGS))
$(shell mkdir -p $(BUILD))
$(file >$(BUILD)/flags,$(FLAGS))
endif

LIB_DIRS := terrain biome cliff water gen gen/lines
LIB_SRC := $(foreach d,$(LIB_DIRS),$(wildcard $(d)/*.c))
CMD_SRC := $(wildcard cmd/*.c)
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o)
# what `terrane new` writes, world.yaml last
NEW_FILES := README.md recipes/biomes.yaml world.yaml
CMD_OBJ := $(CMD_SRC:%.c=$(BUILD)/%.o) $(BUILD)/cmd/embedded_files.o
LIB := $(BUILD)/libterrane.a
# the commands without main, for unit tests
CMD_LIB := $(BUILD)/libcommands.a
UNIT_SRC := $(wildcard tests/unit/test_*.c)
UNIT_BIN := $(UNIT_SRC:%.c=$(BUILD)/%)
UNIT_HELP := $(filter-out $(UNIT_SRC),$(wildcard tests/unit/*.c))
UNIT_HELP_OBJ := $(UNIT_HELP:%.c=$(BUILD)/%.o)
FUZZ_SRC := $(wildcard tests/fuzz/fuzz_*.c)
FUZZ_BIN := $(FUZZ_SRC:%.c=$(BUILD)/%)
BENCH_SRC := $(wildcard tests/bench/bench_*.c)
BENCH_BIN := $(BENCH_SRC:%.c=$(BUILD)/%)
TOOL_SRC := $(wildcard tests/tools/*.c)
TOOL_BIN := $(TOOL_SRC:%.c=$(BUILD)/%)

.PHONY: all deps demo test bench lint format install clean units fuzzers benches tools
.SECONDARY:
all: $(BUILD)/terrane
units: $(UNIT_BIN)
fuzzers: $(FUZZ_BIN)
benches: $(BENCH_BIN)
# what scripts of tests use
tools: $(TOOL_BIN)

$(BUILD)/terrane: $(CMD_OBJ) $(LIB)
	@echo "  LD $@"
	@$(CC) $(ALL_LDFLAGS) -o $@ $(CMD_OBJ) $(LIB) $(LIBS)
$(LIB): $(LIB_OBJ)
	@rm -f $@
	@$(AR) rcs $@ $(LIB_OBJ)
# stb_image computes with whatever a damaged file holds: it wraps, and is not asked about shifts
$(BUILD)/gen/stb_image.o: ALL_CFLAGS += -fwrapv -fno-sanitize=shift,signed-integer-overflow
$(CMD_LIB): $(filter-out $(BUILD)/cmd/main.o,$(CMD_OBJ))
	@rm -f $@
	@$(AR) rcs $@ $^
$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CC $@"
	@$(CC) $(ALL_CFLAGS) -c -o $@ $<
$(BUILD)/cmd/embedded_files.c: scripts/embed.sh $(NEW_FILES:%=fixtures/new/%)
	@mkdir -p $(@D)
	@sh scripts/embed.sh fixtures/new $(NEW_FILES) >$@
$(BUILD)/cmd/embedded_files.o: $(BUILD)/cmd/embedded_files.c $(BUILD)/flags
	@echo "  CC $@"
	@$(CC) $(ALL_CFLAGS) -c -o $@ $<
$(BUILD)/tests/unit/test_%: $(BUILD)/tests/unit/test_%.o $(UNIT_HELP_OBJ) $(CMD_LIB) $(LIB)
	@echo "  LD $@"
	@$(CC) $(ALL_LDFLAGS) -o $@ $< $(UNIT_HELP_OBJ) $(CMD_LIB) $(LIB) -lcmocka $(LIBS)
# fuzz targets: config=fuzz makes real fuzzers; every other config replays a corpus through tests/fuzz/replay.c
$(BUILD)/tests/fuzz/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(if $(filter fuzz,$(config)),,$(BUILD)/tests/fuzz/replay.o) $(LIB)
	@echo "  LD $@"
	@$(CC) $(ALL_LDFLAGS) $(if $(filter fuzz,$(config)),-fsanitize=fuzzer) -o $@ $(filter %.o,$^) $(LIB) $(LIBS)
$(BUILD)/tests/bench/bench_%: $(BUILD)/tests/bench/bench_%.o $(LIB)
	@echo "  LD $@"
	@$(CC) $(ALL_LDFLAGS) -o $@ $< $(LIB) $(LIBS)
$(BUILD)/tests/tools/%: $(BUILD)/tests/tools/%.o $(LIB)
	@echo "  LD $@"
	@$(CC) $(ALL_LDFLAGS) -o $@ $< $(LIB) $(LIBS)

deps:
	@sh scripts/deps.sh
demo: deps
	@$(MAKE) --no-print-directory -s all
	$(BUILD)/terrane bake fixtures/demo --out out/demo
	@echo
	@echo "Look at out/demo/maps/x0_y0/preview.png; out/demo/maps/x0_y0/sections holds what an engine loads."
test:
	@sh scripts/deps.sh test
	@bash scripts/test.sh
bench: deps all benches tools
	@bash scripts/bench.sh
lint:
	@sh scripts/deps.sh lint
	@mkdir -p build
	clang-format --dry-run -Werror $$(git ls-files '*.c' '*.h')
	sh scripts/lint.sh
format:
	clang-format -i $$(git ls-files '*.c' '*.h')
install: all
	install -D -m 755 $(BUILD)/terrane $(DESTDIR)$(PREFIX)/bin/terrane
	mkdir -p $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	$(BUILD)/terrane completion >$(DESTDIR)$(PREFIX)/share/bash-completion/completions/terrane

clean:
	rm -rf build
-include $(LIB_OBJ:.o=.d) $(CMD_OBJ:.o=.d) $(UNIT_SRC:%.c=$(BUILD)/%.d) $(UNIT_HELP_OBJ:.o=.d) $(FUZZ_SRC:%.c=$(BUILD)/%.d)
-include $(BENCH_SRC:%.c=$(BUILD)/%.d) $(TOOL_SRC:%.c=$(BUILD)/%.d)
