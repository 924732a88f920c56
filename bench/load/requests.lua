-- The load as wrk sends it: the requests of a file, one "METHOD path body" with tabs between on each line, again and again in their order.
-- Knows nothing of the server; prints what wrk counted as one line of JSON.
local requests, at = {}, 0

function init(args)
  local headers = { ["Content-Type"] = "application/json", ["Authorization"] = args[2] }
  for line in io.lines(args[1]) do
    local method, path, body = line:match("^(%S+)\t(%S+)\t(.*)$")
    requests[#requests + 1] = wrk.format(method, path, headers, body)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%f,"errors":%d,"p50":%f,"p99":%f}\n',
    summary.requests, summary.duration / 1e6, e.connect + e.read + e.write + e.status + e.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
