package check

import "example.com/mcpinspect/session"

var (
	listenFilter = &Rule{Name: "listen-without-filter", Severity: session.Error, Who: Client, Revisions: modern, Spec: pageListen,
		Title: "subscriptions/listen does not say what is wanted",
		Why:   "notifications names the kinds that are to come. Servers refuse the request without it.",
		Fix:   "send \"notifications\":{\"toolsListChanged\":true}, or what else is wanted",
		Bad: `* tap
> 1 subscriptions/listen {}`,
		Good: `* tap
> 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}`}
	listenUnacknowledged = &Rule{Name: "listen-not-acknowledged", Severity: session.Error, Revisions: modern, Spec: pageListen,
		Title: "a subscription was not acknowledged first",
		Why:   "The first message of a subscription says what the server will send. Clients wait for it, and do not know until then what they have.",
		Fix:   "send notifications/subscriptions/acknowledged before anything else",
		Bad: `> 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
< notifications/tools/list_changed {"_meta":{"io.modelcontextprotocol/subscriptionId":1}}`,
		Good: `> 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
< notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"toolsListChanged":true}}
< notifications/tools/list_changed {"_meta":{"io.modelcontextprotocol/subscriptionId":1}}`}
	subscriptionID = &Rule{Name: "subscription-id", Severity: session.Error, Revisions: modern, Spec: pageListen,
		Title: "a notification does not name its subscription, or names another",
		Why:   "io.modelcontextprotocol/subscriptionId in _meta is the id of the subscriptions/listen, with its JSON type. On stdio nothing else tells subscriptions apart.",
		Fix:   "copy the id of the request into the _meta of everything that is sent for it",
		Bad: `> 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
< notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":"1"},"notifications":{"toolsListChanged":true}}`,
		Good: `> 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
< notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"toolsListChanged":true}}`}
	ackBeyond = &Rule{Name: "acknowledged-too-much", Severity: session.Error, Revisions: modern, Spec: pageListen,
		Title: "a subscription grants more than was asked for",
		Why:   "The acknowledgement names what of the request will be sent, and nothing beside.",
		Fix:   "name the part of what was asked for that is supported",
		Bad: `> 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
< notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"toolsListChanged":true,"promptsListChanged":true}}`,
		Good: `> 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
< notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{}}`}
	listenUnasked = &Rule{Name: "listen-not-asked", Severity: session.Error, Revisions: modern, Spec: pageListen,
		Title: "a subscription brings what it was not asked for",
		Why:   "A server sends the kinds that were asked for and acknowledged, and no other.",
		Fix:   "filter by what the client asked for",
		Bad: `> 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
< notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"toolsListChanged":true}}
< notifications/prompts/list_changed {"_meta":{"io.modelcontextprotocol/subscriptionId":1}}`,
		Good: `> 1 subscriptions/listen {"notifications":{"promptsListChanged":true}}
< notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"promptsListChanged":true}}
< notifications/prompts/list_changed {"_meta":{"io.modelcontextprotocol/subscriptionId":1}}`}
	outsideListen = &Rule{Name: "notification-outside-listen", Severity: session.Error, Revisions: modern, Spec: pageListen,
		Title: "a change was told that nobody subscribed to",
		Why:   "In the stateless era nothing comes unasked: changes are told on a subscriptions/listen only.",
		Fix:   "send them to clients that listen",
		Bad:   `< notifications/tools/list_changed`,
		Good: `> 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
< notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"toolsListChanged":true}}
< notifications/tools/list_changed {"_meta":{"io.modelcontextprotocol/subscriptionId":1}}`}
	listenForeign = &Rule{Name: "listen-foreign-message", Severity: session.Error, Revisions: modern, Spec: pageListen,
		Title: "progress or a log message came with a subscription",
		Why:   "Both belong to the request that they are about, and never go with a subscription.",
		Fix:   "send them without a subscriptionId, on the stream of their request",
		Bad: `> 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
< notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"toolsListChanged":true}}
< notifications/progress {"progressToken":1,"progress":1,"_meta":{"io.modelcontextprotocol/subscriptionId":1}}`,
		Good: `> 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
< notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"toolsListChanged":true}}`}
	listenResultID = &Rule{Name: "listen-result-id", Severity: session.Error, Revisions: modern, Spec: pageListen,
		Title: "the end of a subscription does not name it",
		Why:   "The result of subscriptions/listen carries the subscriptionId of what has ended.",
		Fix:   "put the id of the request into its _meta",
		Bad: `> 1 subscriptions/listen {"notifications":{}}
< notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{}}
< 1 {}`,
		Good: `> 1 subscriptions/listen {"notifications":{}}
< notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{}}
< 1 {"_meta":{"io.modelcontextprotocol/subscriptionId":1,"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}`}
	listenAfterEnd = &Rule{Name: "listen-after-end", Severity: session.Error, Revisions: modern, Spec: pageListen,
		Title: "a subscription goes on after its end",
		Why:   "Behind its result, or its cancellation, nothing more comes.",
		Fix:   "forget the subscription when it ends",
		Bad: `> 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
< notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"toolsListChanged":true}}
< 1 {"_meta":{"io.modelcontextprotocol/subscriptionId":1,"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}
< notifications/tools/list_changed {"_meta":{"io.modelcontextprotocol/subscriptionId":1}}`,
		Good: `> 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
< notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"toolsListChanged":true}}
< 1 {"_meta":{"io.modelcontextprotocol/subscriptionId":1,"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}`}
	updateUnasked = &Rule{Name: "updated-not-asked", Severity: session.Warning, Revisions: modern, Spec: pageListen,
		Title: "a resource was reported as updated that nobody subscribed to",
		Why:   "Updates come for the addresses that a subscription names, and what lies below them.",
		Fix:   "filter by the addresses of the subscription",
		Bad: `> 1 subscriptions/listen {"notifications":{"resourceSubscriptions":["file:///a"]}}
< notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"resourceSubscriptions":["file:///a"]}}
< notifications/resources/updated {"uri":"file:///b","_meta":{"io.modelcontextprotocol/subscriptionId":1}}`,
		Good: `> 1 subscriptions/listen {"notifications":{"resourceSubscriptions":["file:///a"]}}
< notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"resourceSubscriptions":["file:///a"]}}
< notifications/resources/updated {"uri":"file:///a/1","_meta":{"io.modelcontextprotocol/subscriptionId":1}}`}
	updateInvalid = &Rule{Name: "updated-without-uri", Severity: session.Error, Revisions: legacy, Spec: pageResources,
		Title: "an update does not say of which resource",
		Why:   "Clients read a resource again by its uri.",
		Fix:   "send the uri",
		Bad:   `< notifications/resources/updated {}`,
		Good: `> 1 resources/subscribe {"uri":"file:///a"}
< 1 {}
< notifications/resources/updated {"uri":"file:///a"}`}
	updateUnsubscribed = &Rule{Name: "updated-without-subscribe", Severity: session.Warning, Revisions: legacy, Spec: pageResources,
		Title: "a resource was reported as updated before anything was subscribed",
		Why:   "Updates come for what was subscribed with resources/subscribe.",
		Fix:   "remember what each client has subscribed",
		Bad: `> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{"resources":{"subscribe":true}},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
< notifications/resources/updated {"uri":"file:///a"}`,
		Good: `> 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< 1 {"protocolVersion":"2025-11-25","capabilities":{"resources":{"subscribe":true}},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
> 2 resources/subscribe {"uri":"file:///a"}
< 2 {}
< notifications/resources/updated {"uri":"file:///a"}`}
)

var listenRules = []*Rule{
	listenFilter, listenUnacknowledged, subscriptionID, ackBeyond, listenUnasked, outsideListen, listenForeign,
	listenResultID, listenAfterEnd, updateUnasked, updateInvalid, updateUnsubscribed,
}
