import { SingleBar } from 'cli-progress';

/** State of a progress bar. */
export interface BarState {
  /** 0 to 100. */
  readonly percent: number;
  /** Current phase. */
  readonly phase: string;
  /** Additional information, such as rows read. */
  readonly note?: string;
}

/** Shows the progress of a long operation. */
export interface ProgressBar {
  update(state: BarState): void;
  /** Stops and leaves the last state on screen. */
  stop(): void;
}

/** Opens a progress bar on a terminal; elsewhere (a log, a pipe), one line for each phase and each further quarter.
 *  @param label what is running; use labels of equal width for stacked bars */
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
    gracefulExit: false, // otherwise it would intercept the first Ctrl-C
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
