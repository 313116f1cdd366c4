// expects oxlint:react/jsx-no-duplicate-props
export function Save(props: { busy: boolean }) {
  return <button disabled={props.busy} type="submit" disabled>Save</button>;
}
