import { SingleBar } from 'cli-progress';

/** How far something is, as a terminal shows it. */
export interface BarState {
  /** 0 to 100. */
  readonly percent: number;
  /** What is being done. */
  readonly phase: string;
  /** More to say, such as rows read. */
  readonly note?: string;
}

/** Shows progress while something long runs. */
export interface ProgressBar {
  update(state: BarState): void;
  /** Leaves the last state standing. */
  stop(): void;
}

/** A bar on a terminal; elsewhere (a log, a pipe) one line for each phase and each further quarter.
 *  @param label what runs; bars below each other should have labels of one width */
export function openProgressBar(label: string, out: NodeJS.WriteStream = process.stderr): ProgressBar {
  return out.isTTY ? terminalBar(label, out) : lineBar(label, out);
}

function terminalBar(label: string, out: NodeJS.WriteStream): ProgressBar {
  const bar = new SingleBar({
    format: `${label} {bar} {percentage}% {phase} {note}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 28,
    hideCursor: true,
    gracefulExit: false, // it would take the first Ctrl-C for itself
    stream: out,
  });
  bar.start(100, 0, { phase: '', note: '' });
  const restore = () => bar.stop();
  process.once('exit', restore);
  return {
    update: ({ percent, phase, note = '' }) => bar.update(Math.floor(percent), { phase, note }),
    stop: () => {
      process.off('exit', restore);
      bar.stop();
    },
  };
}

function lineBar(label: string, out: NodeJS.WriteStream): ProgressBar {
  let last = '';
  return {
    update: ({ percent, phase, note = '' }) => {
      const step = `${phase} ${Math.floor(percent / 25)}`;
      if (step === last) return;
      last = step;
      out.write(`${label} ${Math.floor(percent)}% ${phase} ${note}`.trimEnd() + '\n');
    },
    stop: () => {},
  };
}
