import { PageTabs } from '../parts/page/tabs.tsx';

/** Tabs for keys, violations, policies and virtual tags. */
export function TagsTabs() {
  return (
    <PageTabs
      label="Tags"
      tabs={[
        ['Keys', '/tags'],
        ['Violations', '/tags/violations'],
        ['Policies', '/tags/policies'],
        ['Virtual tags', '/tags/virtual'],
      ]}
    />
  );
}

/** URL of a tag key's page; escapes any characters in the key. */
export function tagKeyHref(key: string): string {
  return `/tags/keys/${encodeURIComponent(key)}`;
}

/** Decodes the tag key in a path; keeps a manually typed, badly encoded one as it is. */
export function tagKeyOf(path: string): string {
  const rest = path.replace(/^\/tags\/keys\//, '');
  try {
    return decodeURIComponent(rest);
  } catch {
    return rest;
  }
}
