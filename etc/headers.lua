-- What lighttpd asks of a request's headers (mod_magnet, from lighttpd.conf): names of letters, digits and
-- hyphens. CGI makes one variable of X-Forwarded-For, X_Forwarded_For and X.Forwarded.For, so that a program
-- could not tell a client's header from the one that a trusted proxy has set. Apache drops such headers.
for name in pairs(lighty.r.req_header) do
    if name:find("[^%w%-]") then
        lighty.r.resp_header["Content-Type"] = "application/json"
        lighty.r.resp_header["Cache-Control"] = "no-store"
        lighty.r.resp_body:set('{"error":"The name of a header has another character than letters, digits and hyphens.","code":"bad_request"}\n')
        return 400
    end
end
