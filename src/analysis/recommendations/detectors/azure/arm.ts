import type { Row } from '../detector.ts';
import { type Subject, usageOf, wholeOf } from '../subject.ts';

/** Returns the provider and type of an ARM path in lower case: `microsoft.sql/servers/elasticpools`. Empty for anything
 *  else. */
export function armType(nativeId: string): string {
  const at = nativeId.toLowerCase().lastIndexOf('/providers/');
  if (at < 0) return '';
  const [namespace = '', ...rest] = nativeId
    .toLowerCase()
    .slice(at + '/providers/'.length)
    .split('/');
  return [namespace, ...rest.filter((_, index) => index % 2 === 0)].join('/');
}

/** Returns the subscription and resource group of an ARM path; null for anything else. */
export function armParts(nativeId: string): { readonly subscription: string; readonly group: string } | null {
  const found = /^\/subscriptions\/([^/]+)\/resourcegroups\/([^/]+)\//i.exec(nativeId);
  const [, subscription, group] = found ?? [];
  return subscription === undefined || group === undefined ? null : { subscription, group };
}

/** A type of resource that is billed even if unused. */
interface Unused extends Pick<Row, 'type' | 'summary' | 'description'> {
  /** ARM type, lower case. */
  readonly arm: string;
  /** Name of the resource type in titles. */
  readonly noun: string;
  /** The command that deletes it. */
  readonly command: (subject: Subject) => string;
}

/** Builds a row for resources that are unused according to the provider's inventory. Without that information, nothing is
 *  found. */
export function unused({ arm, noun, command, ...row }: Unused): Row {
  return {
    ...row,
    endsUsage: true,
    title: ({ name }) => `Delete the unused ${noun} ${name}`,
    confidence: 'high',
    method: 'observed',
    find: (subject, { window }) =>
      armType(subject.nativeId) === arm && subject.metadata.usedByCount === 0
        ? { savings: wholeOf(usageOf(subject), window), evidence: { used_by_count: 0 } }
        : null,
    script: { title: `Delete the ${noun}`, reversible: false, command },
  };
}
