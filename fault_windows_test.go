package main

// faulty is for systems with terminals that tests can open.
func faulty() {}
