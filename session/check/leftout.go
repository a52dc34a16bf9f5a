package check

// What the specification asks for and no rule looks for, with the reason. The rest of its rules that
// can be seen on the wire are in families.
//
//   - Answers out of order, text on stderr as such, a missing title or instructions, comments in an
//     event stream, and all else that is allowed and of no interest to whoever mends a server.
//   - Nested arrays in a batch: they are stray output, and told as that.
//   - Output behind the end of stdin: how much of it was under way cannot be seen.
//   - A server whose behaviour depends on earlier requests, and lists that differ between connections:
//     one connection does not show it. check --repeat and --protocol all compare several.
//   - Whether unknown keys of _meta, unknown parameters and upper-case header names are accepted:
//     nobody sends them unasked; probes do (check --active).
//   - Headers that a client of HTTP sends, its session ids, its Origin, when it comes back to a stream,
//     and notifications/cancelled over HTTP: tap and mock stand on stdio, so that no client of HTTP but
//     ours is ever seen.
//   - A session that was ended and is used again, and the status of DELETE: we end sessions last.
//   - The endpoint event of the transport of 2024-11-05: without it there is no session to judge, and
//     connecting says so.
//   - Metadata of resources and authorization servers, PKCE, iss and registration: they are not fetched.
//   - Subscriptions that a client does not ask for again after a restart: a tap sees one run.
//   - A stream of events with odd lines: browsers pass over them, and so does everybody else.
//   - A taskId that is not known yet when it is returned, keys of questions that are used twice over the
//     life of a task, and polling that is too fast: tasks are judged message by message.
//   - Arguments against the whole inputSchema: those that are missing or not allowed are told, which is
//     what can be seen without running a validator on the way of every call.
