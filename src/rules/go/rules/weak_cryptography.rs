//! Ciphers and hashes that are broken.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_member};
use crate::go::language::receiver_type;
use crate::go::scopes::{function_name, names_around, names_on_left};
use crate::words::{speaks_of, split_identifier_words};

pub use crate::common::weak_cryptography::RULE;

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_weak_cryptography);

/// Words of what somebody would find out by trying. A hash of one has to resist that.
const SECRET: &[&str] = &[
    "credential", "credentials", "nonce", "otp", "passphrase", "passwd", "password", "passwords", "pw", "pwd", "salt", "salted",
    "secret", "secrets", "token", "tokens",
];
/// Words of functions and values that guard something. A hash of a signature guards nothing: only what makes one counts.
const PROTECTING: &[&str] = &[
    "auth", "cookie", "cookies", "csrf", "encrypt", "encryption", "login", "session", "sessions", "sign", "signature",
    "signatures", "signed", "signer", "signing",
];
/// Words of exchanges whose other side expects this hash and no other.
const AGREED: &[&str] =
    &["certificate", "challenge", "ha1", "ha2", "handshake", "realm", "scramble", "thumbprint", "websocket", "x5t"];

fn check_weak_cryptography<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some((path, name)) = called_member(context, node).filter(|_| !context.is_test_file()) else { return };
    let weak = match (path, name) {
        ("crypto/md5", "New" | "Sum") | ("crypto/sha1", "New" | "Sum") if protects(context, node) && !is_one_of_several(context, node) => path,
        ("crypto/des", "NewCipher" | "NewTripleDESCipher") | ("crypto/rc4", "NewCipher")
            if !is_chosen_by_caller(context, node) =>
        {
            path
        }
        _ => return,
    };
    let finding = context.report(&RULE, node, format!("`{weak}` is too weak to protect anything"));
    // A hash may be the one that a protocol asks for, and no file says so.
    out.push(finding.doubted_if(matches!(weak, "crypto/md5" | "crypto/sha1")));
}

/// True where the words around a hash say that it guards something. Most hashes tell contents apart, name something, or are
/// what a format asks for, and need no strength.
fn protects<'c>(context: &GoContext<'c>, node: Node<'c>) -> bool {
    let calls = context.tree().ancestors_of(node).take_while(|at| !context.tree().is_function(*at));
    // `newFromHash(md5.New(), name)`
    let callees = calls.filter(|at| at.kind() == "call_expression").filter_map(|call| field(call, "function"));
    let mut names = names_around(context, node);
    // The first is that of the function. `HashPassword` is about a secret, whatever its values are called.
    let is_about_secret = names.first().is_some_and(|name| speaks_of(name, SECRET));
    if !is_about_secret && names.iter().skip(1).any(|name| is_identity(name)) {
        names.remove(0);
    }
    let words_of = |texts: Vec<&'c str>| texts.into_iter().flat_map(split_identifier_words).collect::<Vec<String>>();
    let named = words_of(names.into_iter().chain(callees.map(|callee| context.text(callee))).collect());
    let written = arguments_of(node).into_iter().chain(written_into(context, node));
    let written = words_of(written.map(|it| context.text(it)).collect());
    let has = |words: &[String], list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    (has(&named, SECRET) || has(&named, PROTECTING) || has(&written, SECRET))
        && !has(&named, AGREED)
        && !has(&written, AGREED)
}

/// True for a name that says that its hash only tells things apart, whatever the function is about: `pubHash`, `keyID`.
fn is_identity(name: &str) -> bool {
    let words = split_identifier_words(name);
    words.last().is_some_and(|word| word == "id" || word.ends_with("sum") || word.ends_with("hash") && word != "hash")
        && !speaks_of(name, SECRET)
        && !speaks_of(name, PROTECTING)
}

/// What the function writes into a hash that it keeps: `h := md5.New()` and `h.Write(password)`, `io.WriteString(h, password)`.
fn written_into<'c>(context: &GoContext<'c>, node: Node<'c>) -> Vec<Node<'c>> {
    let statement = context.tree().parent_of(node).and_then(|list| context.tree().parent_of(list));
    let name = statement.and_then(|statement| names_on_left(context, statement).next());
    let (Some(name), Some(function)) = (name, context.function_around(node)) else { return Vec::new() };
    let inside = context.mentions().names_within(name, node.end_byte(), function.end_byte());
    let call_of = |at: Node<'c>| {
        let mut near = context.tree().ancestors_of(at).take(2);
        near.find(|above| above.kind() == "call_expression")
    };
    inside.filter_map(call_of).flat_map(arguments_of).collect()
}

/// Beginnings of names of functions that make a cipher for whoever asked for it by its name.
const MAKERS: &[&str] = &["create", "make", "new"];
const CIPHERS: &[&str] = &["3des", "arcfour", "cipher", "des", "des3", "rc4", "triple"];

/// True where another place decides for the cipher: one case among several, a maker that is named for it, and what only
/// decrypts, since there it was chosen when the text was encrypted.
fn is_chosen_by_caller(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let function = context.outermost_function(node);
    let name = split_identifier_words(function_name(context, node));
    let holder = function.and_then(|function| receiver_type(context.tree(), function)).unwrap_or_default();
    let is_maker = name.first().is_some_and(|first| MAKERS.contains(&first.as_str()));
    let mut about = name.iter().cloned().chain(split_identifier_words(holder));
    name.iter().any(|word| word.starts_with("decrypt"))
        || is_maker && about.any(|word| CIPHERS.contains(&word.as_str()))
        || is_one_of_several(context, node)
}

/// Words of what a switch is over that chooses a hash or a cipher.
const CHOICES: &[&str] = &["alg", "algo", "algorithm", "cipher", "digest", "encryption", "hash", "mode", "type"];

/// True in a switch that chooses a hash or a cipher, as what it is over or the case says: whoever set that has decided.
fn is_one_of_several(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let mut above = context.tree().ancestors_of(node).take_while(|at| !context.tree().is_function(*at));
    above.any(|case| {
        // The case of a switch over types names its own, as in `case sha1Password:`.
        let asked = field(case, "value").or_else(|| field(case, "type")).map_or("", |of| context.text(of));
        let over = context.tree().parent_of(case).and_then(|switch| field(switch, "value"));
        let is_named = || ["des", "md5", "rc4", "sha"].iter().any(|name| asked.to_ascii_lowercase().contains(name));
        matches!(case.kind(), "expression_case" | "type_case" | "default_case")
            && (is_named() || over.is_some_and(|over| speaks_of(context.text(over), CHOICES)))
    })
}

#[cfg(test)]
mod tests {
    use tapps_base::finding::Confidence;

    use super::super::testing::{assert_clean, assert_confidence, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &[
                "import \"crypto/sha1\"\nfunc signature(b []byte) { g(sha1.Sum(b)) }",
                "import \"crypto/sha1\"\nfunc f(b []byte) { signed(sha1.Sum(b)); sign(sha256.Sum(b)) }",
                "import \"crypto/md5\"\nfunc sessionID(b []byte) { g(md5.Sum(b)) }",
                "import \"crypto/des\"\nfunc cacheKey(k []byte) { des.NewCipher(k) }",
                "import \"crypto/des\"\nfunc encrypt(k []byte) { des.NewCipher(k) }",
                "import \"crypto/md5\"\nfunc f(password string) { g(md5.Sum([]byte(password))) }",
                "import \"crypto/md5\"\nfunc f(u User) { h := md5.New(); io.WriteString(h, u.Password) }",
                "import \"crypto/md5\"\nfunc HashPassword(p string) string { sum := md5.Sum([]byte(p)); return g(sum) }",
                "import \"crypto/md5\"\nfunc f(r *http.Request) { switch r.Method { case \"POST\": g(md5.Sum(password)) } }",
                "import \"crypto/sha1\"\nfunc f(salt []byte) { h := sha1.New(); h.Write(salt) }",
            ],
        );
    }

    #[test]
    fn a_hash_is_doubted_and_a_cipher_is_not() {
        for (text, expected) in [
            ("import \"crypto/md5\"\nfunc f(password string) { g(md5.Sum([]byte(password))) }", Confidence::Low),
            ("import \"crypto/des\"\nfunc encrypt(k []byte) { des.NewCipher(k) }", Confidence::High),
        ] {
            assert_confidence(&RULE, "a.go", text, expected);
        }
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"crypto/sha1\"\nfunc f(real any, password string) { switch real.(type) { case sha1Pass: h := sha1.New(); h.Write([]byte(password)) } }",
                "import \"crypto/md5\"\nfunc etag(b []byte) { g(md5.Sum(b)) }",
                "import \"crypto/sha1\"\nfunc imageID(b []byte) { g(sha1.Sum(b)) }",
                "import \"crypto/md5\"\nfunc NewV3(n Name) ID { return newFromHash(md5.New(), n) }",
                "import \"crypto/sha1\"\nfunc f() { filehash := sha1.New(); g(filehash) }",
                "import \"crypto/sha1\"\nfunc f() { checksum := sha1.New(); g(checksum) }",
                "import \"crypto/sha1\"\nfunc f(b []byte) { h := sha1.New(); h.Write(b); g(h) }",
                "import \"crypto/sha1\"\nfunc signature(a string) { switch a { case \"sha1\": h = sha1.New() } }",
                "import \"crypto/sha1\"\nfunc signToken(c Certificate) { h := sha1.New(); h.Write(c.Raw); h.Write(certificate) }",
                "import \"crypto/sha1\"\nfunc show(n Node) { sum := sha1.Sum(n.Signature); g(sum) }",
                "import \"crypto/sha1\"\nfunc Sign(b []byte) { pubhash := sha1.New(); pubhash.Write(b) }",
                "import \"crypto/md5\"\nfunc answer(challenge, password []byte) { g(md5.Sum(append(challenge, password...))) }",
                "import \"crypto/des\"\nfunc newTripleDES(k []byte) { des.NewTripleDESCipher(k) }",
                "import \"crypto/rc4\"\nfunc f(k []byte, m Mode) { switch m.cipher { case old: rc4.NewCipher(k) } }",
                "import \"crypto/des\"\nfunc decryptLegacy(k []byte) { des.NewCipher(k) }",
                "import \"crypto/sha256\"\nfunc sign(b []byte) { sha256.Sum256(b) }",
            ],
        );
    }
}
