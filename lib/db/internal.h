/* internal: what the files of db share. It brings in the client library, so nobody else includes
 * it but a test.
 */
#ifndef LOADLINE_DB_INTERNAL_H
#define LOADLINE_DB_INTERNAL_H

#include <mariadb/mysql.h>

#include "base/arena.h"
#include "base/rand.h"
#include "db/hosts.h"
#include "db/stmt.h"

/* A statement on this connection. */
struct prepared {
    struct prepared *next;
    const struct stmt *stmt;
    MYSQL_STMT *handle;
    unsigned char order[DB_PARAMS_MAX]; /* see stmt_translate() */
    size_t order_length;
};

/* A statement that has been sent, and whose answer is still to come. */
struct sent {
    struct prepared *prepared;
    const char *sql; /* without parameters and rows; NULL: it is `prepared` */
    uint64_t least;  /* it is an error when fewer rows were changed: */
    enum error none;
};

enum { DB_PROBLEM_SIZE = 256, DB_SENT_MAX = 16 };

/* Is the server a node of Galera? */
enum group { GROUP_UNKNOWN, GROUP_NONE, GROUP_NODE };

struct db {
    const char *option_file;
    char problem[DB_PROBLEM_SIZE]; /* of the last failure; "": none yet */
    unsigned problem_code;         /* of the server or the client library; 0: of neither */
    struct hosts hosts;
    unsigned answer_seconds; /* that a statement may take */
    unsigned limit_seconds;  /* that those of one piece of work may take together; 0: no limit */
    int64_t spent;           /* of that, ms */
    int64_t schema;          /* that is needed; 0: nobody asks */
    bool weak;               /* the server may lose what it has committed */
    MYSQL *mysql;            /* NULL: not connected */
    uint64_t connects;
    enum group group; /* of this connection's server */
    struct prepared *prepared;
    MYSQL_STMT *pending;           /* its result has not been read to the end */
    struct sent sent[DB_SENT_MAX]; /* in this order */
    size_t sent_n;
    bool in_transaction, committing;
    bool leaves_open;       /* the next statement does not commit by itself */
    enum error failed;      /* what failed first in this transaction, which has failed then */
    bool sends_ahead;       /* in it, what answers no rows is not waited for */
    bool broken;            /* lost inside a transaction: nothing may run until that is over */
    struct db_value tenant; /* null while there is none */
    char tenant_text[UUID_TEXT_LEN + 1];
};

/* Has the work taken longer than db_set_limit() allows? */
bool db_is_over_limit(const struct db *db);
/* Connects, unless the connection is there and well. DATABASE_UNAVAILABLE, also while a transaction
 * whose connection was lost is not over. */
enum error db_connect(struct db *db);
/* Ends the connection, and with it its prepared statements; a transaction is rolled back. */
void db_disconnect(struct db *db);
/* Forgets the statement that was prepared last. */
void db_drop_statement(struct db *db);
/* Has the server closed the connection? To be asked between two exchanges: it has nothing to say
 * then, and what can be read is its farewell. */
bool db_has_hung_up(const struct db *db);
/* A statement without parameters and rows. */
enum error db_query(struct db *db, const char *sql);
/* What SHOW tells of one variable of the server, or of its status: is it there, and not OFF? */
enum error db_variable(struct db *db, const char *show, bool *is_on);
/* DATABASE_UNAVAILABLE, and the connection is given up, when the server is read-only or a node that
 * is cut off from its group. */
enum error db_takes_writes(struct db *db);
/* Finds out db->group. */
enum error db_ask_group(struct db *db);
/* Compares the schema with the one that is needed, and looks how durable the server is. After an
 * error there is no connection. SCHEMA_OLD. */
enum error db_check_server(struct db *db);
/* Looks how durable the server is. */
enum error db_check_durability(struct db *db);
/* SERVER_STATUS_... of the last answer. */
unsigned db_server_status(struct db *db);
/* The transaction cannot be committed any more, whoever overlooks the error. Returns it. */
enum error db_fail_transaction(struct db *db, enum error e);
/* Logs the error of the server, or of the client library, and says which of ours it is. A
 * connection that is lost, or of no use, is given up. what: the statement. */
enum error db_failed(struct db *db, const char *what, unsigned code, const char *message);

/* How values of a type are sent and fetched. */
enum enum_field_types db_wire_type(enum db_type type);

/* ---- pipeline.c: what is sent is answered in that order ---- */

/* A statement without parameters and rows. */
enum error db_send_query(struct db *db, const char *sql);
/* rows: 0: one, else so many of the array of the handle. none: when fewer were changed; ERR_OK:
 * that is no error. */
enum error db_send_statement(struct db *db, struct prepared *prepared, MYSQL_BIND *binds,
                             size_t rows, enum error none);
/* Waits for the answers of all that has been sent. The error of the first that failed; the others
 * have been logged as well. */
enum error db_collect(struct db *db);
/* The same; last: what was sent last, and may answer rows. They can be fetched when nothing failed.
 */
enum error db_wait(struct db *db, struct prepared *last);

/* ---- run.c ---- */

/* Runs it with these values; *prepared is there until the connection is lost, and what it answers
 * can be fetched. DATABASE_BUSY over the limit. */
enum error db_run_statement(struct db *db, const struct stmt *stmt, const struct db_value *values,
                            struct prepared **prepared);
/* Connects when needed; *prepared is there until the connection is lost. */
enum error db_prepare(struct db *db, const struct stmt *stmt, struct prepared **prepared);
/* The statement failed: logs why and gives up the connection when it is lost. */
enum error db_failed_stmt(struct db *db, struct prepared *prepared);
/* The server said OK to the statement. DATABASE_BUSY when it belonged to a transaction that the
 * server has given up meanwhile. */
enum error db_statement_done(struct db *db, const struct prepared *prepared);

#endif
