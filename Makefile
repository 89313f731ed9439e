# Loadline. The only makefile; it does not recurse.
#
#   make            builds everything            make check      passes every test
#   make run        builds and starts it here    make bench      one line a figure
#   make lint       the house rules              make install    lays out a host (DESTDIR, PREFIX)
#
# V=release (default), asan, cov or fuzz chooses the variant; each builds below build/V.

V      ?= release
B      := build/$(V)
CC      = gcc
CFLAGS  = -std=c11 -D_GNU_SOURCE -O2 -g -pipe -fno-omit-frame-pointer \
          -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror \
          -Ilib -include lib/base/banned.h
LDFLAGS =
LIBS    = -lfcgi -ljson-c -lz -lmariadb -lscrypt -lcurl -lcrypto -linih -lm

ifeq ($(V),release)
CFLAGS += -D_FORTIFY_SOURCE=2 -fstack-protector-strong
else ifeq ($(V),asan)
CFLAGS += -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
LDFLAGS += -fsanitize=address,undefined
else ifeq ($(V),cov)
CFLAGS += -O0 --coverage
LDFLAGS += --coverage
else ifeq ($(V),fuzz)
CC      = clang
CFLAGS += -O1 -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all
LDFLAGS += -fsanitize=address,undefined
else
$(error V must be release, asan, cov or fuzz)
endif

LAYERS   := base codec kube score alert service store web deliver
LIB_SRC  := $(foreach layer,$(LAYERS),$(wildcard lib/$(layer)/*.c))
LIB_OBJ  := $(LIB_SRC:%.c=$(B)/obj/%.o)
LIB      := $(B)/libloadline.a
CGI      := $(patsubst cgi-bin/%.c,$(B)/cgi-bin/%.fcgi,$(wildcard cgi-bin/*.c))
BIN      := $(patsubst bin/%.c,$(B)/bin/loadline-%,$(wildcard bin/*.c))
UNIT     := $(patsubst tests/unit/%.c,$(B)/tests/unit/%.t,$(wildcard tests/unit/test_*.c))
UNIT_OBJ := $(patsubst %.c,$(B)/obj/%.o,$(filter-out tests/unit/test_%,$(wildcard tests/unit/*.c)))
UNIT_LIB := $(B)/tests/libunit.a
FUZZ     := $(patsubst tests/fuzz/%.c,$(B)/tests/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
BENCH    := $(patsubst tests/bench/%.c,$(B)/tests/bench/%,$(wildcard tests/bench/*.c))
PROGRAMS := $(CGI) $(BIN)

all: $(PROGRAMS)

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

$(LIB): $(LIB_OBJ)
	rm -f $@ && ar rcs $@ $^

$(B)/cgi-bin/%.fcgi: $(B)/obj/cgi-bin/%.o $(LIB)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/bin/loadline-%: $(B)/obj/bin/%.o $(LIB)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

# What tests share: the files there that are not tests themselves.
$(UNIT_LIB): $(UNIT_OBJ)
	@mkdir -p $(@D)
	rm -f $@ && ar rcs $@ $^

$(B)/tests/unit/%.t: $(B)/obj/tests/unit/%.o $(UNIT_LIB) $(LIB)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ -lcmocka $(LIBS)

$(B)/tests/bench/%: $(B)/obj/tests/bench/%.o $(LIB)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

unit: $(UNIT)
	CMOCKA_MESSAGE_OUTPUT=TAP prove --exec '' $(UNIT)

clean:
	rm -rf build

.PHONY: all unit clean
.SECONDARY:
-include $(LIB_OBJ:.o=.d) $(wildcard $(B)/obj/cgi-bin/*.d $(B)/obj/bin/*.d $(B)/obj/tests/*/*.d)
