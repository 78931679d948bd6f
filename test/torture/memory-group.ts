import fs from 'node:fs';
import path from 'node:path';

/** Processes that share a limit of memory, like a container. */
export interface MemoryGroup {
  /** Runs a program in it. */
  command(program: string): [string, ...string[]];
  /** Sets the memory limit, or the lowest one above it that the memory in use allows.
   *  @returns the limit in MiB */
  setLimit(mib: number): number;
  /** Number of processes killed by the OOM killer; null if unknown. */
  kills(): number | null;
  remove(): void;
}

const root = '/sys/fs/cgroup';

/** Creates a control group, of either version; null where that is not allowed. */
export function aMemoryGroup(name: string): MemoryGroup | null {
  const isFirst = fs.existsSync(path.join(root, 'memory'));
  const folder = path.join(root, ...(isFirst ? ['memory'] : []), name);
  const limit = path.join(folder, isFirst ? 'memory.limit_in_bytes' : 'memory.max');
  const events = path.join(folder, isFirst ? 'memory.oom_control' : 'memory.events');
  const remove = () => void (fs.existsSync(folder) && fs.rmdirSync(folder));
  try {
    fs.mkdirSync(folder);
    fs.writeFileSync(limit, String(2 ** 40));
  } catch {
    remove();
    return null;
  }
  return {
    command: (program) => ['/bin/sh', '-c', `echo $$ > ${folder}/cgroup.procs; exec "$0" "$@"`, program],
    setLimit(mib) {
      for (let least = mib; ; least += 25) if (wrote(limit, least * 2 ** 20)) return least;
    },
    kills() {
      const found = /^oom_kill (\d+)$/m.exec(fs.readFileSync(events, 'utf8'))?.[1];
      return found === undefined ? null : Number(found);
    },
    remove,
  };
}

/** Returns whether the kernel accepted a limit: none below the memory in use. */
function wrote(file: string, bytes: number): boolean {
  try {
    fs.writeFileSync(file, String(bytes));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EBUSY') return false;
    throw error;
  }
}
