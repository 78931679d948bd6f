/** Parts of an ARM path. */
export interface ArmParts {
  readonly subscription: string;
  readonly group: string;
}

/** Provider and type of an ARM path, lower case: `microsoft.sql/servers/elasticpools`. Empty where it is none. */
export function armType(nativeId: string): string {
  const at = nativeId.toLowerCase().lastIndexOf('/providers/');
  if (at < 0) return '';
  const [namespace = '', ...rest] = nativeId
    .toLowerCase()
    .slice(at + '/providers/'.length)
    .split('/');
  return [namespace, ...rest.filter((_, index) => index % 2 === 0)].join('/');
}

/** Subscription and resource group of an ARM path; null where it has none. */
export function armParts(nativeId: string): ArmParts | null {
  const found = /^\/subscriptions\/([^/]+)\/resourcegroups\/([^/]+)\//i.exec(nativeId);
  const [, subscription, group] = found ?? [];
  return subscription === undefined || group === undefined ? null : { subscription, group };
}
