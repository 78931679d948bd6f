/** Roles that somebody can be given, from the most to the least; the Super Admin is made by handing the organization over. */
export const givenRoles = ['ADMIN', 'MEMBER', 'VIEWER'] as const;

/** A role that somebody can be given. */
export type GivenRole = (typeof givenRoles)[number];

/** What each role may do, in a line. */
export const roleTexts: Readonly<Record<GivenRole, string>> = {
  ADMIN: 'Everything but billing, ownership and deleting the organization.',
  MEMBER: 'Sees everything a Viewer does, manages budgets and reports, acts on anomalies and recommendations.',
  VIEWER: 'Sees costs and findings, changes nothing.',
};
