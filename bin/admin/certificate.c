/* The certificate that the web server shows, as its file has it. */
#include <errno.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "check.h"

enum { WARN_DAYS = 21 };

static const char what[] = "certificate";

/* The name or address in public_url; "" when that is not of https. */
static void read_host(const struct conf *conf, char host[CONF_TEXT_MAX + 1])
{
    struct str url = str_of(conf->public_url.s), rest;
    *host = '\0';
    if (!str_has_prefix(url, STR("https://")))
        return;
    rest = str_sub(url, strlen("https://"), url.n);
    str_cut(rest, '/', &rest, NULL);
    if (str_has_prefix(rest, STR("["))) /* of version 6 */
        str_cut(str_sub(rest, 1, rest.n), ']', &rest, NULL);
    else
        str_cut(rest, ':', &rest, NULL);
    snprintf(host, CONF_TEXT_MAX + 1, "%" STR_FMT, STR_ARG(rest));
}

static bool days_left(const X509 *certificate, int *days)
{
    int seconds;
    return ASN1_TIME_diff(days, &seconds, NULL, X509_get0_notAfter(certificate)) == 1;
}

static void judge(struct findings *findings, const struct conf *conf, const char *file,
                  X509 *certificate, EVP_PKEY *key)
{
    char host[CONF_TEXT_MAX + 1];
    int days = 0;
    read_host(conf, host);
    if (!key || X509_check_private_key(certificate, key) != 1)
        findings_add(findings, FINDING_WRONG, what,
                     "%s: its key is missing, or belongs to another certificate. It wants "
                     "certificate, chain and key",
                     file);
    else if (!days_left(certificate, &days) || days < 0 ||
             X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0)
        findings_add(findings, FINDING_WRONG, what,
                     "%s is over since %d days: clients refuse it. Renew it, and reload the web "
                     "server",
                     file, -days);
    else if (*host && X509_check_host(certificate, host, 0, 0, NULL) != 1 &&
             X509_check_ip_asc(certificate, host, 0) != 1)
        findings_add(findings, FINDING_WRONG, what, "%s is not for %s, which public_url names",
                     file, host);
    else
        findings_add(findings, days < WARN_DAYS ? FINDING_WARN : FINDING_OK, what,
                     "%s is good for %d more days%s", file, days,
                     days < WARN_DAYS ? ". Renew it, and reload the web server" : "");
}

void check_certificate(struct findings *findings, const struct conf *conf, const char *file)
{
    const char *path = file ? file : "/etc/loadline/tls.pem";
    FILE *stream = fopen(path, "re");
    int problem = errno;
    X509 *certificate = stream ? PEM_read_X509(stream, NULL, NULL, NULL) : NULL;
    if (stream)
        rewind(stream);
    EVP_PKEY *key = stream ? PEM_read_PrivateKey(stream, NULL, NULL, NULL) : NULL;
    if (certificate)
        judge(findings, conf, path, certificate, key);
    else if (stream)
        findings_add(findings, FINDING_WRONG, what, "%s has no certificate in PEM", path);
    else if (problem == ENOENT && !file)
        findings_add(findings, FINDING_NONE, what, "%s is not there: TLS ends elsewhere", path);
    else
        findings_add(findings, problem == EACCES ? FINDING_NONE : FINDING_WRONG, what, "%s: %s%s",
                     path, strerror(problem), problem == EACCES ? ". Run this as root" : "");
    EVP_PKEY_free(key);
    X509_free(certificate);
    if (stream)
        fclose(stream);
}
