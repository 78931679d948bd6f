import { PageTabs } from '../parts/page/page.tsx';

/** Keys, violations and policies, side by side. */
export function TagsTabs() {
  return (
    <PageTabs
      label="Tags"
      tabs={[
        ['Keys', '/tags'],
        ['Violations', '/tags/violations'],
        ['Policies', '/tags/policies'],
      ]}
    />
  );
}

/** The page of a tag key, whatever characters it holds. */
export function tagKeyHref(key: string): string {
  return `/tags/keys/${encodeURIComponent(key)}`;
}

/** The key that a path names; a path written by hand may not be encoded well, then it is taken as it is. */
export function tagKeyOf(path: string): string {
  const rest = path.replace(/^\/tags\/keys\//, '');
  try {
    return decodeURIComponent(rest);
  } catch {
    return rest;
  }
}
