import type { Detector, Finding } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { type Subject, usageOf } from '../../subject.ts';
import { isOldEnough } from './age.ts';

/** Something of AWS that is paid for in full and of no use to anybody. */
interface Idle {
  readonly type: string;
  readonly summary: string;
  /** The meters that are saved. */
  readonly meters: RegExp;
  /** What makes it idle, as evidence; null: it is not. */
  readonly isIdle: (subject: Subject) => Finding['evidence'] | null;
  /** `Delete the idle NAT gateway`; the name follows. */
  readonly act: string;
  readonly why: string;
  /** Null: the id does not say what the command is to name. */
  readonly command: (subject: Subject) => string | null;
}

/** A detector whose saving is all that the meters cost. What it deletes cannot be had back. */
export function idleDetector(idle: Idle): Detector {
  return {
    type: idle.type,
    summary: idle.summary,
    provider: 'aws',
    about: 'resource',
    endsUsage: true,
    detect(subject, { window }) {
      const usage = usageOf(subject, idle.meters);
      if (usage.length === 0 || !isOldEnough(subject, window)) return null;
      const evidence = idle.isIdle(subject);
      if (evidence === null) return null;
      return {
        title: `${idle.act} ${subject.name}`,
        description: idle.why,
        savings: wholeOf(usage, window),
        confidence: 'high',
        method: 'observed',
        evidence,
        scripts: () => {
          const script = idle.command(subject);
          return script === null ? [] : [{ kind: 'aws_cli', title: idle.act, script, reversible: false }];
        },
      };
    },
  };
}
