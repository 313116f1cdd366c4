// expects tapps:dangerously-set-inner-html
export function Comment(props: { text: string }) {
  return <p dangerouslySetInnerHTML={{ __html: props.text }} />;
}
