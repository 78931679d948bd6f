import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { usageOf } from '../../subject.ts';
import { armType } from './arm.ts';

/** A kind of resource that is billed by the hour whether or not anything uses it. */
export interface UnusedKind {
  readonly type: string;
  readonly summary: string;
  /** ARM type, lower case. */
  readonly arm: string;
  /** What it is called in a title. */
  readonly noun: string;
  readonly description: string;
  /** The command that deletes it. */
  readonly command: (nativeId: string) => string;
}

/** A detector of resources that the provider's inventory says nothing uses. Nothing is concluded where it does not say. */
export function unusedDetector({ type, summary, arm, noun, description, command }: UnusedKind): Detector {
  return {
    type,
    summary,
    provider: 'azure',
    about: 'resource',
    endsUsage: true,
    detect(subject, { window }) {
      if (armType(subject.nativeId) !== arm || subject.metadata.usedByCount !== 0) return null;
      const usage = usageOf(subject);
      if (usage.length === 0) return null;
      return {
        title: `Delete the unused ${noun} ${subject.name}`,
        description,
        savings: wholeOf(usage, window),
        confidence: 'high',
        method: 'observed',
        evidence: { used_by_count: 0 },
        scripts: () => [
          { kind: 'azure_cli', title: `Delete the ${noun}`, script: command(subject.nativeId), reversible: false },
        ],
      };
    },
  };
}
