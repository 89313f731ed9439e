-- What lighttpd asks of each request before anything else (mod_magnet, from lighttpd.conf).

-- Fewer than may queue at a program's socket (spawn-fcgi -b). lighttpd takes a full queue for a connection that
-- is slow: it tries again and again, logs each time, and answers 500 in the end.
local most_under_way = 4000

local function refuse(status, sentence, code)
    lighty.r.resp_header["Content-Type"] = "application/json"
    lighty.r.resp_header["Cache-Control"] = "no-store"
    lighty.r.resp_header["X-Content-Type-Options"] = "nosniff"
    lighty.r.resp_body:set('{"error":"' .. sentence .. '","code":"' .. code .. '"}\n')
    return status
end

-- Names are of letters, digits and hyphens. CGI makes one variable of X-Forwarded-For, X_Forwarded_For and
-- X.Forwarded.For, so that a program could not tell a client's header from the one that a trusted proxy has
-- set. Apache drops such headers.
for name in pairs(lighty.r.req_header) do
    if name:find("[^%w%-]") then
        return refuse(400, "The name of a header has another character than letters, digits and hyphens.", "bad_request")
    end
end

local under_way = lighty.server.plugin_stats["gw.active-requests"]
if under_way and under_way >= most_under_way then
    lighty.r.resp_header["Retry-After"] = "5"
    return refuse(503, "The service is starting or overloaded; try again shortly.", "service_away")
end
