import { PageTabs } from '../parts/tabs.tsx';

/** Reports that were made, and those that are made again and again. */
export function ReportTabs() {
  return (
    <PageTabs
      label="Reports"
      tabs={[
        ['Reports', '/reports'],
        ['Schedules', '/reports/schedules'],
      ]}
    />
  );
}
