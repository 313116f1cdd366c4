// expects tapps:hook-order
export function Clock(props: { shown: boolean }) {
  if (props.shown) {
    const [now] = React.useState(0);
    return <time>{now}</time>;
  }
  return null;
}
