#include "db/hosts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = HOSTS_MAX + 64 };

/* Without blanks at its ends. */
static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t n = strlen(text);
    while (n && isspace((unsigned char)text[n - 1]))
        n--;
    text[n] = '\0';
    return text;
}

/* Cuts a line "name = value" in two; the value is empty where there is none. Option files write
 * names with either of - and _. */
static char *cut_value(char *line)
{
    char *equals = strchr(line, '=');
    if (equals)
        *equals = '\0';
    for (char *p = line; *p; p++)
        *p = *p == '_' ? '-' : *p;
    return equals ? trim(equals + 1) : line + strlen(line);
}

static void take_list(struct hosts *hosts, const char *value)
{
    size_t n = 0;
    for (; *value && n < sizeof hosts->list - 1; value++)
        if (!isspace((unsigned char)*value) && *value != '"' && *value != '\'')
            hosts->list[n++] = *value;
    hosts->list[*value || !memchr(hosts->list, ',', n) ? 0 : n] = '\0';
}

static void take_line(struct hosts *hosts, char *line)
{
    const char *value = cut_value(line), *name = trim(line);
    if (strcmp(name, "host") == 0)
        take_list(hosts, value);
    else if (strcmp(name, "ssl-verify-server-cert") == 0)
        hosts->bare_verify = *value == '\0';
}

void hosts_read(struct hosts *hosts, const char *option_file)
{
    char line[LINE_MAX_BYTES];
    bool ours = false;
    hosts->list[0] = '\0';
    hosts->bare_verify = false;
    FILE *file = fopen(option_file, "re");
    while (file && fgets(line, sizeof line, file)) {
        const char *text = trim(line);
        if (*text == '[')
            ours = strcmp(text, "[loadline]") == 0;
        else if (ours)
            take_line(hosts, line);
    }
    if (file)
        fclose(file);
}

bool hosts_several(const struct hosts *hosts)
{
    return hosts->list[0] != '\0';
}

/* Is the entry, of n bytes, that host? Its port may be missing. */
static bool is_entry(const char *entry, size_t n, const char *host, unsigned port)
{
    size_t length = strlen(host);
    if (n < length || memcmp(entry, host, length) != 0)
        return false;
    if (n == length)
        return true;
    return entry[length] == ':' && (!port || strtoul(entry + length + 1, NULL, 10) == port);
}

void hosts_pass_over(struct hosts *hosts, const char *host, unsigned port)
{
    char turned[HOSTS_MAX];
    size_t next = strcspn(hosts->list, ",");
    for (const char *entry = hosts->list; *entry;) {
        size_t n = strcspn(entry, ",");
        if (is_entry(entry, n, host, port)) {
            next = (size_t)(entry - hosts->list) + n;
            break;
        }
        entry += n + (entry[n] == ',');
    }
    if (!hosts->list[next])
        return; /* it is the last already */
    snprintf(turned, sizeof turned, "%s,%.*s", hosts->list + next + 1, (int)next, hosts->list);
    memcpy(hosts->list, turned, sizeof turned);
}
