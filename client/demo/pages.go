package demo

import (
	"encoding/base64"
	"strconv"
	"strings"

	"example.com/mcpinspect/client/demo/rpc"
)

// pageSize makes the tools three pages.
const pageSize = 9

// page is one page of a list. A cursor is opaque to the client: where the next page starts, and in
// which list, in base64.
func (c *call) page(key string, all []rpc.Object) (rpc.Object, *rpc.Error) {
	from := 0
	if raw, has := c.params["cursor"]; has {
		cursor, _ := rpc.Text(raw)
		plain, err := base64.RawURLEncoding.DecodeString(cursor)
		rest, ours := strings.CutPrefix(string(plain), key+":")
		n, bad := strconv.Atoi(rest)
		if err != nil || !ours || bad != nil || n <= 0 || n >= len(all) {
			return nil, invalid("Invalid cursor: it is not one that this server gave out for " + c.method)
		}
		from = n
	}
	to := min(from+pageSize, len(all))
	result := rpc.Obj(key, all[from:to])
	if to < len(all) {
		next := base64.RawURLEncoding.EncodeToString([]byte(key + ":" + strconv.Itoa(to)))
		result = result.With("nextCursor", next)
	}
	return result, nil
}
