package main

import "os"

// peak is not told by os.ProcessState here.
func peak(*os.ProcessState) int64 { return 0 }
