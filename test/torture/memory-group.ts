import fs from 'node:fs';
import path from 'node:path';

/** Processes that share a limit of memory, like a container. */
export interface MemoryGroup {
  /** Runs a program in it. */
  command(program: string): [string, ...string[]];
  setLimit(mib: number): void;
  /** Number of processes that the kernel killed for lack of memory; null if unknown. */
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
    setLimit: (mib) => fs.writeFileSync(limit, String(mib * 2 ** 20)),
    kills() {
      const found = /^oom_kill (\d+)$/m.exec(fs.readFileSync(events, 'utf8'))?.[1];
      return found === undefined ? null : Number(found);
    },
    remove,
  };
}
