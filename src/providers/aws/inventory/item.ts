import type { InventoryItem } from '../../contract.ts';
import type { Place } from './asking.ts';
import { type Arn, aliasesOf, parseArn } from './arn.ts';
import { serviceName, typeName } from './names.ts';

/** A tag as most services write it. */
export interface AwsTag {
  readonly Key?: string | undefined;
  readonly Value?: string | undefined;
}

/** What a service says of one of its resources. */
interface Known {
  /** Empty or left out: the tag `Name` counts. */
  readonly name?: string | undefined;
  readonly tags?: Readonly<Record<string, string>>;
  /** What is undefined is left out: nobody knows it. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Beside those that an ARN has. */
  readonly aliases?: readonly (string | undefined)[];
  /** Where the resource is, if its ARN does not tell. */
  readonly region?: string | undefined;
  /** In place of those of the ARN. */
  readonly service?: string;
  readonly resourceType?: string;
}

/** The ARN of a resource.
 *  @param path type and id: `instance/i-0abc`, `db:orders` */
export function arnAt({ partition, region, account }: Place, service: string, path: string): string {
  return `arn:${partition}:${service}:${region}:${account}:${path}`;
}

/** A resource of the inventory by its ARN; null when that is none. */
export function itemOf(arn: string, known: Known): InventoryItem | null {
  const parsed = parseArn(arn);
  return parsed && itemOfArn(parsed, known);
}

/** A resource of the inventory. */
export function itemOfArn(arn: Arn, known: Known): InventoryItem {
  const tags = known.tags ?? {};
  const others = (known.aliases ?? []).filter((alias) => alias !== undefined && alias !== '' && alias !== arn.text);
  return {
    provider: 'aws',
    nativeId: arn.text,
    aliases: [...new Set([...aliasesOf(arn), ...others])].filter((alias) => alias !== undefined),
    name: known.name || tags['Name'] || '',
    resourceType: known.resourceType ?? typeName(arn),
    service: known.service ?? serviceName(arn),
    region: known.region || arn.region || 'global',
    tags,
    metadata: known.metadata ? definedOf(known.metadata) : {},
  };
}

/** Tags as a record. Those without a key are left out. */
export function tagsOf(tags: readonly AwsTag[] | undefined): Record<string, string> {
  return Object.fromEntries((tags ?? []).flatMap(({ Key, Value }) => (Key ? [[Key, Value ?? '']] : [])));
}

/** An instant as metadata has it, undefined for none. */
export function instant(date: Date | undefined): string | undefined {
  return date !== undefined && Number.isFinite(date.getTime()) ? date.toISOString() : undefined;
}

function definedOf(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined));
}
