import { tagKeyName } from '../../kit/tag-key.ts';
import type { Subject } from './subject.ts';

const keys = ['environment', 'env', 'stage', 'lifecycle'];
const nonProduction =
  /^(dev|develop|development|test|testing|tst|qa|stage|staging|stg|sandbox|uat|(?:non|pre)[-_ ]?prod(?:uction)?|demo|lab)\b/;

/** The value of a subject's environment tag where it says that nothing in production depends on it; null otherwise. */
export function nonProductionTag(subject: Subject): string | null {
  for (const key of keys) {
    const value = tagOf(subject, key);
    if (value !== null && nonProduction.test(value.trim().toLowerCase())) return value;
  }
  return null;
}

/** Whether somebody said that nothing is to be recommended of it: the tag `finops:ignore` with anything but `false`. Disks that
 *  disaster recovery keeps are of that kind too. */
export function isIgnored(subject: Subject): boolean {
  const ignore = tagOf(subject, 'finops:ignore') ?? tagOf(subject, 'finops-ignore');
  if (ignore !== null && ignore.trim().toLowerCase() !== 'false') return true;
  return Object.keys(subject.tags).some((key) => /^(asr-replicadisk|asrseeddisk)$/i.test(tagKeyName(key)));
}

/** A tag's value, whatever the case of its key. */
function tagOf(subject: Subject, wanted: string): string | null {
  for (const [key, value] of Object.entries(subject.tags)) if (tagKeyName(key).toLowerCase() === wanted) return value;
  return null;
}
