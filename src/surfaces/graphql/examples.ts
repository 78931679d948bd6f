/** The tabs GraphiQL opens with: what a newcomer wants to see first. A test runs each against the schema. */
export const exampleTabs: readonly { query: string; variables?: string }[] = [
  {
    query: `# 1. Sign in: put the demo's email and password below, run, and paste accessToken into the bar above.
mutation Login($email: String!, $password: String!) {
  login(email: $email, password: $password) {
    accessToken
    expiresIn
    user { name email }
    organization { name currency }
  }
}
`,
    variables: JSON.stringify({ email: 'you@example.com', password: 'your password' }, null, 2),
  },
];
