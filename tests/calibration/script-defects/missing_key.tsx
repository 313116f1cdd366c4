// expects tapps:missing-key
export function Names(props: { names: string[] }) {
  return <ul>{props.names.map((name) => <li>{name}</li>)}</ul>;
}
