//! What to do about each bandit finding, one sentence per test of bandit 1.9.4.

/// The advice for a test id such as `B602`, or `None` for a test that this table does not know.
#[must_use]
pub fn of(test: &str) -> Option<&'static str> {
    let index = HELP.binary_search_by_key(&test, |&(id, _)| id).ok()?;
    HELP.get(index).map(|&(_, text)| text)
}

/// Sorted by test id.
const HELP: &[(&str, &str)] = &[
    ("B101", "Raise an exception instead, since assertions vanish when Python runs optimised."),
    ("B102", "Replace exec by a function or a table of functions, so that no text becomes code."),
    ("B103", "Give the file the narrowest mode that works, for example 0o600 or 0o750."),
    ("B104", "Bind to the one address that must be reachable, and make it a setting."),
    ("B105", "Read the password from the environment or a secret store and change the one that was written here."),
    ("B106", "Pass the password in from the environment or a secret store and change the one that was written here."),
    ("B107", "Give the parameter no default and let the caller supply the password."),
    ("B108", "Create the file with the tempfile module, so that nobody can guess or prepare its name."),
    ("B110", "Catch the one exception that is expected and log or handle it."),
    ("B112", "Catch the one exception that is expected and log it before going on."),
    ("B113", "Pass timeout= so that a silent server cannot hold the caller forever."),
    ("B201", "Run without debug=True outside development, since the debugger lets visitors run code."),
    ("B202", "Extract with filter='data' or check every member's path first."),
    ("B301", "Use JSON or another format without code for data that others can touch."),
    ("B302", "Use JSON instead of marshal for data that others can touch."),
    ("B303", "Use SHA-256 or better, or BLAKE2, where the digest protects something."),
    ("B304", "Use AES-GCM or ChaCha20-Poly1305 in place of the outdated cipher."),
    ("B305", "Use an authenticated mode such as GCM in place of ECB."),
    ("B306", "Use tempfile.NamedTemporaryFile or mkstemp, which create the file they name."),
    ("B307", "Use ast.literal_eval or a parser of your own for the values that are expected."),
    ("B308", "Build the markup with format_html, which escapes its arguments."),
    ("B310", "Check that the URL begins with http:// or https:// before opening it."),
    ("B311", "Use the secrets module where the value must not be guessed."),
    ("B312", "Use SSH in place of telnet, which sends everything in clear text."),
    ("B313", "Parse XML from others with defusedxml."),
    ("B314", "Parse XML from others with defusedxml."),
    ("B315", "Parse XML from others with defusedxml."),
    ("B316", "Parse XML from others with defusedxml."),
    ("B317", "Parse XML from others with defusedxml."),
    ("B318", "Parse XML from others with defusedxml."),
    ("B319", "Parse XML from others with defusedxml."),
    ("B321", "Use SFTP or HTTPS in place of FTP, which sends everything in clear text."),
    ("B323", "Use ssl.create_default_context, which verifies certificates."),
    ("B324", "Use SHA-256 or better, or say usedforsecurity=False where nothing depends on it."),
    ("B401", "Use SSH in place of telnet, which sends everything in clear text."),
    ("B402", "Use SFTP or HTTPS in place of FTP, which sends everything in clear text."),
    ("B403", "Make sure that only data written by this program is unpickled."),
    ("B404", "Call programs with a list of arguments and without a shell."),
    ("B405", "Parse XML from others with defusedxml."),
    ("B406", "Parse XML from others with defusedxml."),
    ("B407", "Parse XML from others with defusedxml."),
    ("B408", "Parse XML from others with defusedxml."),
    ("B409", "Parse XML from others with defusedxml."),
    ("B411", "Protect XML-RPC with defusedxml.xmlrpc.monkey_patch before any message is read."),
    ("B412", "Serve the application through WSGI or ASGI, where a Proxy header cannot become a setting."),
    ("B413", "Use the cryptography package, since pyCrypto is no longer maintained."),
    ("B415", "Reach the management controller through an encrypted channel in place of plain IPMI."),
    ("B501", "Leave certificate verification on, or name the authority with verify=PATH."),
    ("B502", "Ask for TLS 1.2 or newer."),
    ("B503", "Make TLS 1.2 or newer the default of this parameter."),
    ("B504", "Use ssl.create_default_context and a minimum_version, so that old protocols are refused."),
    ("B505", "Use at least 2048 bits for RSA and DSA and 224 for elliptic curves."),
    ("B506", "Use yaml.safe_load, which makes plain values only."),
    ("B507", "Load known host keys and keep RejectPolicy, so that an unknown server is refused."),
    ("B508", "Use SNMPv3, which authenticates and encrypts."),
    ("B509", "Give the SNMPv3 user both an authentication and a privacy protocol."),
    ("B601", "Quote every argument with shlex.quote before it is sent to the remote shell."),
    ("B602", "Pass a list of arguments and drop shell=True."),
    ("B603", "Make sure that no argument of the program comes unchecked from outside."),
    ("B604", "Drop shell=True, or make sure that the text is constant."),
    ("B605", "Use subprocess.run with a list of arguments, which starts no shell."),
    ("B606", "Make sure that neither the program nor its arguments come unchecked from outside."),
    ("B607", "Name the program by its full path or find it with shutil.which first."),
    ("B608", "Pass values as query parameters and never build SQL from text."),
    ("B609", "Expand the pattern with glob and pass the names as separate arguments after `--`."),
    ("B610", "Use the query methods of the ORM, or pass values to extra() as parameters."),
    ("B611", "Use the query methods of the ORM, or pass values to RawSQL as parameters."),
    ("B612", "Give logging.config.listen a verify= function that accepts signed settings only."),
    ("B613", "Remove the bidirectional control characters, which show the code in another order than it runs."),
    ("B614", "Load the file with weights_only=True or from the safetensors format."),
    ("B615", "Name the exact commit with revision=, so that the download cannot change."),
    ("B701", "Create the environment with autoescape=select_autoescape()."),
    ("B702", "Escape with the h filter or set default_filters=['h'] on the template lookup."),
    ("B703", "Build the markup with format_html, which escapes its arguments."),
    ("B704", "Pass values to Markup(...).format, which escapes them, in place of joining text."),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_every_entry_is_one_sentence() {
        assert!(HELP.is_sorted_by_key(|&(id, _)| id));
        for (id, text) in HELP {
            assert_eq!(of(id), Some(*text));
            assert!(text.ends_with('.') && text.len() < 120, "{id}");
        }
        assert_eq!(HELP.len(), 75);
        assert_eq!(of("B999"), None);
    }
}
