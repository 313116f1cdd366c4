// expects oxlint:no-dupe-keys
export const timeouts = { connect: 5, read: 30, connect: 10 };
