import {
  IconActivity,
  IconBellRinging,
  IconBulb,
  IconChartBar,
  IconChartLine,
  IconCloud,
  IconDivide,
  IconFileText,
  IconHome,
  IconLayoutDashboard,
  IconReceipt2,
  IconServer,
  IconShieldHalf,
  IconTag,
  IconTargetArrow,
  type Icon,
} from '@tabler/icons-react';

/** Entry of the side bar. */
export interface NavItem {
  readonly label: string;
  readonly href: string;
  readonly Icon: Icon;
}

/** Side bar, grouped by task: analyze, optimize, govern. */
export const navigation: readonly { readonly label: string | null; readonly items: readonly NavItem[] }[] = [
  {
    label: null,
    items: [
      { label: 'Overview', href: '/', Icon: IconHome },
      { label: 'Dashboards', href: '/dashboards', Icon: IconLayoutDashboard },
      { label: 'Costs', href: '/costs', Icon: IconChartBar },
      { label: 'Unit costs', href: '/unit-costs', Icon: IconDivide },
      { label: 'Invoices', href: '/invoices', Icon: IconReceipt2 },
      { label: 'Forecast', href: '/forecast', Icon: IconChartLine },
      { label: 'Anomalies', href: '/anomalies', Icon: IconActivity },
    ],
  },
  {
    label: 'Optimize',
    items: [
      { label: 'Recommendations', href: '/recommendations', Icon: IconBulb },
      { label: 'Coverage', href: '/coverage', Icon: IconShieldHalf },
      { label: 'Inventory', href: '/inventory', Icon: IconServer },
      { label: 'Tags', href: '/tags', Icon: IconTag },
    ],
  },
  {
    label: 'Govern',
    items: [
      { label: 'Budgets', href: '/budgets', Icon: IconTargetArrow },
      { label: 'Alert rules', href: '/alert-rules', Icon: IconBellRinging },
      { label: 'Reports', href: '/reports', Icon: IconFileText },
      { label: 'Accounts', href: '/accounts', Icon: IconCloud },
    ],
  },
];

/** Whether a path is at or below a side bar entry. */
export function isAt(path: string, href: string): boolean {
  return href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);
}
