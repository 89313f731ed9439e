# Loadline. The only makefile: no directory has another. `make help` prints this legend.
#
#   make                  builds the programs below build/V
#   make build            and the tests and benches
#   make run              builds and starts Loadline here, with a sample to look at (PORT=8080)
#   make sample-remove    removes the sample; make sample brings it back
#   make stop             stops that again and keeps the data
#   make check            what must pass before a commit: lint, unit-asan, most of e2e and browser, and servers, in ten minutes
#   make check-long       what that leaves out: unit, and tests of e2e and browser that take long, or of which it runs a part
#   make lint             house rules; what is unchanged since it passed is not looked at again
#   make unit             unit tests, and the corpus of every fuzz target
#   make unit-build       builds what make unit runs
#   make unit-asan        the same under ASan and UBSan
#   make e2e              end-to-end tests against a real stack
#   make browser          tests of the dashboard in Chromium; make check-browser: figures of speed, too
#   make servers          some of them behind Apache and as plain CGI; make check-servers: more
#   make check-galera     three database nodes and two web hosts, for GALERA_SECONDS=300 and GALERA_KILLS=300
#   make check-agent      the agent over minutes: servers, tokens and connections that come and go
#   make check-kubernetes the agent, its chart and the forecast at a real API server, which Go builds once; churn for KUBERNETES_SECONDS=60
#   make chaos            one host under load while things are killed, frozen, filled up, for CHAOS_SECONDS=600 and CHAOS_KILLS=300
#   make soak             an hour at half load in which nothing may grow, for SOAK_SECONDS=3600; tests/soak/soak.t --help
#   make check-overload   pushes at 0.25 to 4 times the capacity, for OVERLOAD_SECONDS=30 each
#   make check-attacks    attacks that take long or want thousands of connections
#   make bench            one line a figure: name, value, target
#   make fuzz             each fuzz target for FUZZ_SECONDS=30; FUZZ_TOTAL=60: all of them together
#   make fuzz-cost        a search for the snapshot that costs most CPU a byte, FUZZ_SECONDS long, from FUZZ_SEED
#   make properties       changes to PROPERTY_ROUNDS=300 random clusters must not move a score the wrong way
#   make curves           draws docs/scoring-curves.svg
#   make sbom             what a build consists of: programs, libraries and packages, as CycloneDX 1.5
#   make install          lays out a host (DESTDIR=, PREFIX=/usr/local) and starts nothing
#   make uninstall        takes that away again
#   make deb              builds Debian packages below build/deb (scripts/deb)
#   make dist             a release below build/dist: source, packages, sbom and their checksums (scripts/dist)
#   make check-packages   installs, upgrades, removes and purges them in bare roots, with systemd; as root
#   make clean            removes build/, all variants
#   make help             this text
#
# run and check install missing Debian packages (scripts/setup). Variables:
#
#   V=release|asan|cov|fuzz   which variant is built
#   ISAL=                     zlib instead of ISA-L, as where Debian has no ISA-L; builds below build/V-zlib
#   LTO=                      links ingest without optimising across files: quicker to build, slower at a push
#   Q=                        shows commands

V      ?= release
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 30
GALERA_SECONDS ?= 300
GALERA_KILLS ?= 300
CHAOS_SECONDS ?= 600
KUBERNETES_SECONDS ?= 60
CHAOS_KILLS ?= 300
SOAK_SECONDS ?= 3600
OVERLOAD_SECONDS ?= 30
PROPERTY_ROUNDS ?= 300
PROPERTY_SEED := $(or $(PROPERTY_SEED),$(shell date +%s))
Q      := @
CORES  := $(shell nproc)
# Debian has ISA-L for these.
HAS_ISAL := $(filter x86_64 aarch64,$(shell uname -m))
ISAL   ?= $(HAS_ISAL)
RAW    := $(if $(ISAL),,-zlib)
LTO    ?= 1
B      := build/$(V)$(RAW)
CC      = gcc
CFLAGS  = -std=c11 -D_GNU_SOURCE -O2 -g -pipe -fno-omit-frame-pointer \
          -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror \
          -Ilib -include lib/base/banned.h
# What a package adds (debian/rules).
CFLAGS += $(PACKAGE_CFLAGS)
LDFLAGS =
# Of loadline-score alone: what reads YAML and archives is in no program that a network reaches.
OFFLINE_LIBS = -lyaml -larchive
# Of loadline-agent, which is in a small image of its own.
AGENT_LIBS = -lyaml -lcurl -lcrypto -lz -lzstd -lm
LIBS    = -lfcgi -ljson-c -lz -lzstd -lmariadb -lscrypt -lcurl -lcrypto -linih -lseccomp -Wl,--push-state,--as-needed -lzxcvbn -loath -lqrencode -Wl,--pop-state -lm

CONTROL_FLOW_x86_64  = -fcf-protection
CONTROL_FLOW_aarch64 = -mbranch-protection=standard
ifeq ($(V),release)
# Against what makes a mistake in memory worth something to an attacker; tests/e2e/08-hardening.t looks at it.
CFLAGS  += -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection -fPIE $(CONTROL_FLOW_$(shell uname -m))
LDFLAGS += -pie -Wl,-z,relro,-z,now,-z,noexecstack $(ACROSS_FILES)
else ifeq ($(V),asan)
# Lines of a stack trace want no more than -g1.
CFLAGS += -O1 -g1 -DSLOW_ASSERTS -fsanitize=address,undefined -fno-sanitize-recover=all
LDFLAGS += -fsanitize=address,undefined
else ifeq ($(V),cov)
CFLAGS += -O0 --coverage
LDFLAGS += --coverage
else ifeq ($(V),fuzz)
CC      = clang
CFLAGS += -O1 -DSLOW_ASSERTS -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all
LDFLAGS += -fsanitize=address,undefined
else
$(error V must be release, asan, cov or fuzz)
endif

# Tests are linked by gold, where there is one: it takes half the time. What ships is not.
GOLD := $(shell sh -c 'command -v ld.gold')
TEST_LDFLAGS = $(LDFLAGS) $(if $(GOLD),-fuse-ld=gold)

# One of the two libraries of lib/codec/raw.h is in a build. Its tests run with the other one, too.
OTHER_RAW := lib/codec/raw_$(if $(ISAL),zlib,isal).c
LIBS      += $(if $(ISAL),-lisal)
AGENT_LIBS += $(if $(ISAL),-lisal)

LAYERS   := base codec kube reader score report alert gate db service store web deliver
LIB_SRC  := $(filter-out $(OTHER_RAW),$(foreach layer,$(LAYERS),$(wildcard lib/$(layer)/*.c lib/$(layer)/*/*.c)))
LIB_OBJ  := $(LIB_SRC:%.c=$(B)/obj/%.o)
LIB      := $(B)/libloadline.a
OFFLINE_OBJ := $(patsubst %.c,$(B)/obj/%.o,$(wildcard lib/offline/*.c))
OFFLINE  := $(B)/liboffline.a
ADMIN_OBJ := $(patsubst %.c,$(B)/obj/%.o,$(wildcard bin/admin/*.c))
AGENT_LIB_OBJ := $(patsubst %.c,$(B)/obj/%.o,$(wildcard lib/agent/*.c))
AGENT_LIB := $(B)/libagent.a
AGENT_OBJ := $(patsubst %.c,$(B)/obj/%.o,$(wildcard bin/watcher/*.c))
SCORE_OBJ := $(patsubst %.c,$(B)/obj/%.o,$(wildcard bin/scorer/*.c))
CGI      := $(patsubst cgi-bin/%.c,$(B)/cgi-bin/%.fcgi,$(wildcard cgi-bin/*.c))
BIN      := $(patsubst bin/%.c,$(B)/bin/loadline-%,$(wildcard bin/*.c))
UNIT     := $(patsubst tests/unit/%.c,$(B)/tests/unit/%.t,$(wildcard tests/unit/test_*.c)) \
            $(patsubst tests/fuzz/%.c,$(B)/tests/fuzz/%.t,$(wildcard tests/fuzz/fuzz_*.c)) \
            $(if $(HAS_ISAL),$(B)/tests/unit/test_gzip.other.t $(B)/tests/fuzz/fuzz_inflate.other.t)
UNIT_OBJ := $(patsubst %.c,$(B)/obj/%.o,$(filter-out tests/unit/test_%,$(wildcard tests/unit/*.c)))
UNIT_LIB := $(B)/tests/libunit.a
FUZZ     := $(patsubst tests/fuzz/%.c,$(B)/tests/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
COST_SEARCH := $(B)/tests/fuzz/cost_search
COST_ATTACKS := $(B)/tests/fuzz/cost_attacks
BENCH    := $(patsubst tests/bench/%.c,$(B)/tests/bench/%,$(wildcard tests/bench/bench_*.c))
BENCH_OBJ := $(patsubst %.c,$(B)/obj/%.o,$(filter-out tests/bench/bench_%,$(wildcard tests/bench/*.c)))
BENCH_LIB := $(B)/tests/libbench.a
CURVES   := $(B)/tests/curves/curves
PRELOADED := $(patsubst tests/e2e/%.c,$(B)/tests/e2e/%.so,$(wildcard tests/e2e/*.c))
PROGRAMS := $(CGI) $(BIN)

all: $(PROGRAMS)
help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile
build: stack $(UNIT)
# What tests want that run against a stack. The unit tests among it ask a database.
STACK_UNIT := $(addprefix $(B)/,$(shell grep -hoE 'tests/unit/test_[a-z_]+\.t' tests/e2e/*.t))
stack: all $(BENCH) $(CURVES) $(PRELOADED) $(STACK_UNIT)

$(B)/obj/%.o: %.c | packages
	@mkdir -p $(@D) && echo "  $(V) $@"
	$(Q)$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

# Pushes are most of what a host works on, so for ingest these layers are optimised across files: 6 to 8 % fewer
# instructions a push. The other programs do without, because each link takes a quarter of a minute.
ACROSS_LAYERS = base codec kube reader score gate
ACROSS_FILES  = -fno-lto
ifeq ($(V)$(LTO),release1)
$(foreach layer,$(ACROSS_LAYERS),$(filter $(B)/obj/lib/$(layer)/%,$(LIB_OBJ))): CFLAGS += -flto -ffat-lto-objects
$(B)/cgi-bin/ingest.fcgi: ACROSS_FILES = -flto=$(CORES)
endif

$(LIB): $(LIB_OBJ)
	$(Q)rm -f $@ && ar rcs $@ $^

$(OFFLINE): $(OFFLINE_OBJ)
	$(Q)rm -f $@ && ar rcs $@ $^

$(AGENT_LIB): $(AGENT_LIB_OBJ)
	$(Q)rm -f $@ && ar rcs $@ $^

# A program with much to do has a directory of its own for the rest of its files.
CGI_PARTS = $(patsubst %.c,$(B)/obj/%.o,$(wildcard cgi-bin/$(1)/*.c))
.SECONDEXPANSION:
$(B)/cgi-bin/%.fcgi: $(B)/obj/cgi-bin/%.o $$(call CGI_PARTS,$$*) $(LIB)
	@mkdir -p $(@D) && echo "  $(V) $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(LIBS)

$(B)/bin/loadline-admin: $(ADMIN_OBJ)
$(B)/bin/loadline-%: $(B)/obj/bin/%.o $(LIB)
	@mkdir -p $(@D) && echo "  $(V) $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(LIBS)

$(B)/bin/loadline-score: $(B)/obj/bin/score.o $(SCORE_OBJ) $(OFFLINE) $(LIB)
	@mkdir -p $(@D) && echo "  $(V) $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(OFFLINE_LIBS) $(LIBS)

$(B)/bin/loadline-agent: $(B)/obj/bin/agent.o $(AGENT_OBJ) $(AGENT_LIB) $(OFFLINE) $(LIB)
	@mkdir -p $(@D) && echo "  $(V) $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(AGENT_LIBS)

# What tests share: the files there that are not tests themselves.
$(UNIT_LIB): $(UNIT_OBJ)
	$(Q)mkdir -p $(@D) && rm -f $@ && ar rcs $@ $^

$(B)/tests/unit/%.t: $(B)/obj/tests/unit/%.o $(UNIT_LIB) $(AGENT_LIB) $(OFFLINE) $(LIB)
	@mkdir -p $(@D) && echo "  $(V) $@"
	$(Q)$(CC) $(TEST_LDFLAGS) -o $@ $^ -lcmocka $(OFFLINE_LIBS) $(LIBS)

$(BENCH_LIB): $(BENCH_OBJ)
	$(Q)mkdir -p $(@D) && rm -f $@ && ar rcs $@ $^

$(B)/tests/bench/%: $(B)/obj/tests/bench/%.o $(BENCH_LIB) $(LIB)
	@mkdir -p $(@D) && echo "  $(V) $@"
	$(Q)$(CC) $(TEST_LDFLAGS) -o $@ $^ $(LIBS)

$(B)/tests/curves/%: $(B)/obj/tests/curves/%.o $(UNIT_LIB) $(LIB)
	@mkdir -p $(@D) && echo "  $(V) $@"
	$(Q)$(CC) $(TEST_LDFLAGS) -o $@ $^ -lcmocka $(LIBS)

# Preloaded into a program that is no test: without sanitizers.
$(B)/tests/e2e/%.so: tests/e2e/%.c
	@mkdir -p $(@D) && echo "  $(V) $@"
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Wshadow -Wconversion -Werror -fPIC -shared -o $@ $<

# A fuzz target is also a plain test: it replays its corpus.
$(B)/tests/fuzz/%.t: $(B)/obj/tests/fuzz/%.o $(B)/obj/tests/fuzz/replay.o $(UNIT_LIB) $(AGENT_LIB) $(OFFLINE) $(LIB)
	@mkdir -p $(@D) && echo "  $(V) $@"
	$(Q)$(CC) $(TEST_LDFLAGS) -o $@ $^ $(OFFLINE_LIBS) $(LIBS)

$(B)/tests/unit/test_gzip.other.t: $(B)/obj/tests/unit/test_gzip.o
$(B)/tests/fuzz/fuzz_inflate.other.t: $(B)/obj/tests/fuzz/fuzz_inflate.o $(B)/obj/tests/fuzz/replay.o
%.other.t: $(OTHER_RAW:%.c=$(B)/obj/%.o) $(UNIT_LIB) $(LIB)
	@mkdir -p $(@D) && echo "  $(V) $@"
	$(Q)$(CC) $(TEST_LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) -lcmocka $(LIBS) -lisal

# What a snapshot costs: a search for the costliest, and known ones. No fuzz targets, and no sanitizers.
$(COST_SEARCH) $(COST_ATTACKS): $(B)/tests/fuzz/cost_%: $(B)/obj/tests/fuzz/cost_%.o $(B)/obj/tests/fuzz/cost_run.o $(LIB)
	@mkdir -p $(@D) && echo "  $(V) $@"
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/tests/fuzz/%: $(B)/obj/tests/fuzz/%.o $(UNIT_LIB) $(AGENT_LIB) $(OFFLINE) $(LIB)
	@mkdir -p $(@D) && echo "  $(V) $@"
	$(Q)$(CC) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(OFFLINE_LIBS) $(LIBS)

# Names what is missing; for make run and make check it is installed. Only tests need all of it. A port that is taken, or a
# directory that will not do, is told before that, and before anything is built.
packages:
	@$(if $(filter run,$(MAKECMDGOALS)),scripts/run --check-place $(if $(PORT),--port $(PORT)))
	@scripts/setup $(if $(filter run check check-long,$(MAKECMDGOALS)),,--check) $(if $(filter all run install,$(or $(MAKECMDGOALS),all)),--run)

run: packages
	@$(MAKE) --no-print-directory -j$(CORES) all
	@scripts/run $(if $(PORT),--port $(PORT))

sample:
	@scripts/sample

sample-remove:
	@scripts/sample --remove

stop:
	@scripts/down

check: packages
	@$(MAKE) --no-print-directory -j$(CORES) stack
	@$(MAKE) --no-print-directory -j$(CORES) V=asan unit-build
	@$(MAKE) --no-print-directory --keep-going lint unit-asan e2e-short browser-short servers

# What seldom breaks, or takes long for what it finds: check-long has it. Tests that know LOADLINE_TEST_LONG run a part of
# what they have without it.
LATER_E2E := 05-setup 06-dist 08-hardening 08-sbom 13-reference 14-offline 17-agent-logs 18-agent-faults 24-oidc 24-oidc-issuer \
    26-passwords 33-failed-changes 33-failed-sign-ins 33-unchanged 39-slow-clients 46-large-answers 49-deploys-in-score \
    49-long-history 49-packed-history 50-cut-connections 52-overload 52-waiting 62-maintain-crash 62-maintain-refused 63-backup 63-backup-cut \
    64-point-in-time 65-power-loss 70-run 73-recipes 82-notifier-crash 82-notifier-refused 90-up-down \
    92-ordinary-user 93-migrate 95-apache 96-dashboard-files
LATER_BROWSER := 60-views 30-session 50-states 31-roles 41-inputs 24-exports 21-settings 61-keyboard 25-second-factor 26-issuer \
    23-gate
LONG_TESTS = $(shell grep -l LOADLINE_TEST_LONG tests/e2e/*.t tests/browser/*.t)
LATER_TESTS := $(LATER_E2E:%=tests/e2e/%.t) $(LATER_BROWSER:%=tests/browser/%.t)
check-long: packages
	@$(MAKE) --no-print-directory -j$(CORES) build
	@$(MAKE) --no-print-directory --keep-going unit e2e-long browser-long

e2e-short: stack
	@tests/e2e/run $(B) $(filter-out $(LATER_TESTS),$(wildcard tests/e2e/*.t))

e2e-long: stack
	@LOADLINE_TEST_LONG=1 tests/e2e/run $(B) $(filter tests/e2e/%,$(sort $(LONG_TESTS) $(LATER_TESTS)))

browser-short: stack
	@tests/browser/run $(B) $(filter-out $(LATER_TESTS),$(BROWSER_TESTS:%=tests/browser/%.t))

browser-long: stack
	@LOADLINE_TEST_LONG=1 tests/browser/run $(B) $(filter tests/browser/%,$(sort $(LONG_TESTS) $(LATER_TESTS)))

lint: | packages
	@CFLAGS='$(CFLAGS)' prove -j$(CORES) tests/lint/*.t

unit-build: $(UNIT)

unit: unit-build
	@prove -j$(CORES) --exec tests/unit/run $(UNIT)

unit-asan:
	@$(MAKE) --no-print-directory V=asan unit

e2e: stack
	@tests/e2e/run $(B)

# All but the figures of speed; the longest first.
BROWSER_TESTS := 60-views 30-session 50-states 31-roles 41-inputs 20-journey 24-exports 21-settings 22-alerts \
    61-keyboard 40-hostile 25-second-factor 26-issuer 23-gate 10-harness
browser: stack
	@tests/browser/run $(B) $(BROWSER_TESTS:%=tests/browser/%.t)

check-browser: BROWSER_TESTS := $(notdir $(basename $(wildcard tests/browser/*.t)))
check-browser: browser

# What the web server in front could get wrong: credentials, bodies, errors, tenants, large answers.
SERVER_TESTS := 22-credentials 30-ingest 37-malformed 38-headers
SERVER_BROWSER_TESTS := 20-journey
servers: stack
	@$(MAKE) --no-print-directory -j3 --output-sync=target --keep-going behind-apache behind-cgi page-behind-apache \
	    SERVER_TESTS='$(SERVER_TESTS)' SERVER_BROWSER_TESTS='$(SERVER_BROWSER_TESTS)'

behind-apache behind-cgi: behind-%: stack
	@echo "behind $*:" && LOADLINE_TEST_SERVER=$* tests/e2e/run $(B) $(SERVER_TESTS:%=tests/e2e/%.t)

page-behind-apache: stack
	@echo "the dashboard behind apache:" && LOADLINE_TEST_SERVER=apache tests/browser/run $(B) $(SERVER_BROWSER_TESTS:%=tests/browser/%.t)

check-servers: SERVER_TESTS := $(notdir $(basename $(wildcard $(addprefix tests/e2e/,2[0-8]*.t 3[0157]*.t 4[0-58]*.t))))
check-servers: SERVER_BROWSER_TESTS := $(notdir $(basename $(wildcard tests/browser/*.t)))
check-servers: servers

check-galera: stack
	@LOADLINE_BUILD=$(B) LOADLINE_GALERA_SECONDS=$(GALERA_SECONDS) LOADLINE_GALERA_KILLS=$(GALERA_KILLS) prove --timer --comments tests/galera/galera.t

check-agent: stack
	@LOADLINE_BUILD=$(B) prove --timer tests/agent/*.t

check-kubernetes: stack
	@tests/kubernetes/programs >/dev/null && tests/kubernetes/programs helm >/dev/null
	@LOADLINE_BUILD=$(B) LOADLINE_KUBERNETES_SECONDS=$(KUBERNETES_SECONDS) prove --timer --comments tests/kubernetes/*.t

chaos: stack
	@LOADLINE_BUILD=$(B) LOADLINE_CHAOS_SECONDS=$(CHAOS_SECONDS) LOADLINE_CHAOS_KILLS=$(CHAOS_KILLS) prove --timer --comments tests/chaos/chaos.t

soak: stack
	@LOADLINE_BUILD=$(B) SOAK_SECONDS=$(SOAK_SECONDS) tests/soak/soak.t

check-overload: stack
	@LOADLINE_BUILD=$(B) LOADLINE_OVERLOAD_SECONDS=$(OVERLOAD_SECONDS) prove --timer --comments tests/overload/overload.t

check-attacks: stack $(COST_ATTACKS)
	@LOADLINE_BUILD=$(B) prove --timer tests/attacks/*.t

bench: all $(BENCH)
	@LOADLINE_BUILD=$(B) tests/bench/run

fuzz:
	@$(MAKE) --no-print-directory V=fuzz fuzz-targets
	@tests/fuzz/run build/fuzz$(RAW)/tests/fuzz $(FUZZ_SECONDS) $(FUZZ_TOTAL)

fuzz-targets: $(FUZZ)

fuzz-cost: $(COST_SEARCH)
	@$(COST_SEARCH) $(FUZZ_SECONDS) $(or $(FUZZ_SEED),$(shell date +%s)) $(B)/tests/fuzz

curves: $(CURVES)
	@$(CURVES) --svg >docs/scoring-curves.svg.new && mv docs/scoring-curves.svg.new docs/scoring-curves.svg
	@$(CURVES)

# What is found goes wrong stays below build/, cut down to a few objects.
PROPERTIES := $(B)/tests/unit/test_properties.t $(B)/tests/unit/test_real_snapshots.t
properties: $(PROPERTIES)
	@mkdir -p $(B)/properties && echo "PROPERTY_SEED=$(PROPERTY_SEED) PROPERTY_ROUNDS=$(PROPERTY_ROUNDS)"
	@export PROPERTY_SEED=$(PROPERTY_SEED) PROPERTY_ROUNDS=$(PROPERTY_ROUNDS) PROPERTY_KEEP=$(B)/properties; \
	    status=0; for test in $(PROPERTIES); do $$test || status=1; done; exit $$status

# What a build consists of, with versions of this machine.
sbom: all
	@scripts/sbom $(B) >$(B)/sbom.cdx.json.new && mv $(B)/sbom.cdx.json.new $(B)/sbom.cdx.json && echo $(B)/sbom.cdx.json

install: all
	@scripts/install $(INSTALL_FLAGS) $(B) "$(DESTDIR)" "$(PREFIX)"

deb:
	@scripts/deb

dist:
	@scripts/dist

check-packages: deb all
	@prove --timer --comments tests/packages/*.t

uninstall:
	@scripts/uninstall "$(DESTDIR)" "$(PREFIX)"

clean:
	rm -rf build

.PHONY: all help build stack packages run sample sample-remove stop check check-long e2e-short e2e-long browser-short browser-long lint unit-build unit unit-asan e2e browser check-browser servers behind-apache behind-cgi page-behind-apache check-servers check-galera check-agent check-kubernetes check-packages deb dist chaos soak check-overload check-attacks bench fuzz fuzz-cost fuzz-targets properties curves sbom install uninstall clean
.SECONDARY:
-include $(LIB_OBJ:.o=.d) $(OFFLINE_OBJ:.o=.d) $(AGENT_LIB_OBJ:.o=.d) $(OTHER_RAW:%.c=$(B)/obj/%.d) \
    $(wildcard $(B)/obj/cgi-bin/*.d $(B)/obj/cgi-bin/*/*.d $(B)/obj/bin/*.d $(B)/obj/bin/*/*.d $(B)/obj/tests/*/*.d)
