#include "usage.h"

#include <stdio.h>

const char admin_usage[] =
    "Usage: loadline-admin [--yes] COMMAND [ARGUMENT]...\n"
    "       loadline-admin --help | --version\n\n"
    "  tenants               lists all tenants: id, plan, clusters, users, last push, company\n"
    "  plan TENANT PLAN      changes a tenant's plan: trial, professional, enterprise or\n"
    "                        self_hosted, which has no limit but the host's. Clusters\n"
    "                        beyond a lower limit stay; new ones are refused.\n"
    "  password EMAIL        gives a user a new password and ends all sessions of that user. The\n"
    "                        password is made and shown once; with --stdin it is the first line "
    "of\n"
    "                        standard input.\n"
    "  link EMAIL            makes a link by which a user chooses a new password. It works once, "
    "for "
    "a\n"
    "                        day. Give it to nobody else.\n"
    "  second-factor-off EMAIL\n"
    "                        takes the second factor away from a user who has lost it, and ends\n"
    "                        all sessions of that user, who then signs in with the password.\n"
    "  invite                makes a link to sign up with, where loadline.conf says signup = "
    "invite.\n"
    "                        It works once, for 7 days.\n"
    "  revoke TENANT         ends all sessions of a tenant and revokes all its API keys. Asks for\n"
    "                        the company's name, unless --yes.\n"
    "  purge TENANT          removes a tenant and everything of it. Asks for the company's name,\n"
    "                        unless --yes. When interrupted, run it again.\n"
    "  audit-verify          checks that the audit trail is what it was: prints the state of each\n"
    "                        tenant's chain, and the first entry that was changed, removed or "
    "added\n"
    "                        later. Keep what it prints elsewhere, to see whether a chain was "
    "cut.\n"
    "  refusals              lists the newest 1000 requests with keys and e-mails that nobody "
    "has\n"
    "  check                 says what is wrong on this host, a line each: configuration, "
    "database,\n"
    "                        schema, keys, workers and their sockets, notifier, maintenance,\n"
    "                        certificate, clock, disks. Run it as root. With --json: an array.\n"
    "                        --certificate FILE: not /etc/loadline/tls.pem\n"
    "  reload [PROGRAM]      the workers take the configuration of now, one after the other, and "
    "no\n"
    "                        request is lost. One that is wrong changes nothing.\n\n"
    "TENANT is an id, as `tenants` lists it. Changes are in the tenant's audit trail, as done by\n"
    "loadline-admin and the name of the system's user. The configuration is the file that\n"
    "LOADLINE_CONF names, else /etc/loadline/loadline.conf.\n\n"
    "Exit status: 0 done, 1 not done (a message on standard error tells why), or something is\n"
    "wrong; 2 bad usage.\n";

void admin_usage_complain(struct str command, const char *wants)
{
    if (!command.n)
        fputs("loadline-admin: a command is wanted", stderr);
    else if (!wants)
        fprintf(stderr, "loadline-admin: there is no command %" STR_FMT, STR_ARG(command));
    else
        fprintf(stderr, "loadline-admin: %" STR_FMT " wants %s", STR_ARG(command), wants);
    fputs(". Try loadline-admin --help.\n", stderr);
}
