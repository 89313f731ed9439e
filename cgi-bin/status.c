/* status: is the service alive; and the answer to every path that nobody has. */
#include "routes.h"
#include "web/app.h"
#include "web/page.h"

/* 200 while the database answers, else 503: a load balancer then takes this host out. */
enum error status_health(struct request *r)
{
    struct page page;
    enum error e = db_ping(r->db);
    if (e)
        return e;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "status", STR("ok"));
    JW_STR(&page.jw, "database", STR("ok"));
    JW_TIME(&page.jw, "time", r->now);
    jw_object_end(&page.jw);
    return page_json(r, 200, &page);
}

int main(void)
{
    return app_run("status", routes());
}
