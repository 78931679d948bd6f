import { PageTabs } from '../parts/tabs.tsx';

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
