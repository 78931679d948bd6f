/** An initial GraphiQL tab. */
interface Example {
  readonly query: string;
  /** JSON. */
  readonly variables?: string;
}

const login: Example = {
  query: `# 1. Sign in: put your email and password below
#    (npm run demo prints a pair) and run.
#    With a second factor, add "code" to them.
mutation Login(
  $email: String!
  $password: String!
  $code: String
) {
  login(
    email: $email
    password: $password
    totpCode: $code
  ) {
    accessToken
    expiresIn
    twoFactorRequired
    twoFactorSetupRequired
    user { name email }
    organization { name currency }
  }
}
`,
  variables: JSON.stringify({ email: 'you@example.com', password: 'your password' }, null, 2),
};

const overview: Example = {
  query: `# 2. The last 30 days at a glance.
#    Every list adds up to the same totalCost.
query Overview {
  costsByService {
    startDate
    endDate
    currency
    totalCost
    completeThrough
    groups {
      service
      provider
      cost
      percentage
    }
  }
  costsByRegion {
    groups {
      region
      provider
      cost
      percentage
    }
  }
}
`,
};

const trend: Example = {
  query: `# 3. Month over month. The current month is marked partial.
query Trend($provider: [String!]) {
  costsTrend(provider: $provider) {
    currency
    months {
      month
      cost
      change
      changePercent
      partial
    }
  }
}
`,
  variables: JSON.stringify({ provider: ['aws'] }, null, 2),
};

const daily: Example = {
  query: `# 4. Day by day, split by service, as invoiced.
query Daily {
  costsDaily(groupBy: SERVICE, costMetric: BILLED) {
    currency
    totalCost
    days {
      date
      cost
      groups { service cost }
    }
  }
}
`,
};

const byTag: Example = {
  query: `# 5. Costs by the values of one tag.
#    Charges without it have the value null.
query ByTag($key: String!) {
  costsByTag(tagKey: $key) {
    currency
    totalCost
    groups {
      tagValue
      cost
      percentage
    }
  }
}
`,
  variables: JSON.stringify({ key: 'team' }, null, 2),
};

const accounts: Example = {
  query: `# 6. Connected accounts and their last sync.
query Accounts {
  accounts {
    data {
      name
      provider
      syncStatus
      lastSyncedAt
      lastSyncError
      dataFrom
      dataTo
    }
    pagination { total }
  }
}
`,
};

const members: Example = {
  query: `# 7. Members of the organization and their account access.
#    accountAccess is null with access to all accounts.
query Members {
  members(sortBy: NAME_ASC) {
    data {
      user { name email }
      role
      accountAccess
      twoFactorEnabled
      lastLoginAt
    }
    pagination { total }
  }
}
`,
};

/** The tabs in order, starting with what a newcomer needs. A test validates each against the schema. */
export const exampleTabs: readonly Example[] = [login, overview, trend, daily, byTag, accounts, members];
