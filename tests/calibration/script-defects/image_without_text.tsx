// expects oxlint:jsx-a11y/alt-text
export function Logo() {
  return <img src="/logo.png" />;
}
