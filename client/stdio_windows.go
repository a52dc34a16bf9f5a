package client

import (
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// prepare keeps the server off our console and out of our Ctrl-C.
func prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW}
}

// processGroup is a Job Object: closing it ends the server and all that it started.
type processGroup struct {
	job windows.Handle
	cmd *exec.Cmd
}

func newGroup(cmd *exec.Cmd) processGroup {
	g := processGroup{cmd: cmd}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return g
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info))); err == nil {
		var h windows.Handle
		h, err = windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(cmd.Process.Pid))
		if err == nil {
			err = windows.AssignProcessToJobObject(job, h)
			windows.CloseHandle(h)
		}
	}
	if err != nil {
		windows.CloseHandle(job)
		return g
	}
	g.job = job
	return g
}

// canTerminate is false: Windows has no SIGTERM.
func (g processGroup) canTerminate() bool { return false }

func (g processGroup) terminate() {}

func (g processGroup) kill() {
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
		return
	}
	_ = g.cmd.Process.Kill()
}

// alive reports whether the job still has processes after the server itself has ended.
func (g processGroup) alive() bool {
	if g.job == 0 {
		return false
	}
	var info struct {
		UserTime, KernelTime, PeriodUserTime, PeriodKernelTime int64
		PageFaults, Processes, Active, Terminated              uint32
	}
	const basicAccounting = 1 // JobObjectBasicAccountingInformation
	err := windows.QueryInformationJobObject(g.job, basicAccounting, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), nil)
	return err == nil && info.Active > 0
}

func (g processGroup) release() {
	if g.job != 0 {
		_ = windows.CloseHandle(g.job)
	}
}

// exitOf reads how the process ended; codes of NTSTATUS size stay as they are.
func exitOf(cmd *exec.Cmd, _ error) Exit {
	return Exit{Code: cmd.ProcessState.ExitCode()}
}
