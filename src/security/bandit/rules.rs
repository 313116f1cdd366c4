//! The tests of bandit 1.9.4: the severity it gives at most, id, name, and what to do, in one sentence each.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

/// What a weakness in the code, or a secret in it, costs; what bandit is not sure of costs less.
#[must_use]
pub const fn cost(severity: Severity) -> u32 {
    match severity {
        Severity::High | Severity::Critical => 3000,
        Severity::Medium => 1000,
        Severity::Low | Severity::Info => 0,
    }
}

/// What stands for a test that this table does not know.
pub const OTHER: Rule = Rule {
    tool: Tool::Bandit,
    code: "*",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1000,
    blocking: false,
    summary: "Every other test of bandit.",
    help: "",
    explanation: "bandit explains its tests at <https://bandit.readthedocs.io/en/1.9.4/plugins/index.html>.",
    examples: &[],
    cwe: None,
    since: "0.1.0",
};

/// The test with an id such as `B602`.
#[must_use]
pub fn find_bandit_rule(test: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.code == test)
}

macro_rules! bandit_rules {
    ($($severity:ident $code:literal $name:literal $help:literal;)+) => {
        /// Every test, by id. Severity and cost are those of a finding at its worst and of medium confidence at least.
        pub const RULES: &[Rule] = &[$(Rule {
            code: $code,
            aliases: &[concat!("bandit:", $name)],
            severity: Severity::$severity,
            cost: cost(Severity::$severity),
            summary: concat!("What bandit's test `", $name, "` reports."),
            help: $help,
            explanation: concat!(
                $help,
                " bandit explains its tests at <https://bandit.readthedocs.io/en/1.9.4/plugins/index.html>."
            ),
            ..OTHER
        }),+];
    };
}

bandit_rules! {
    Low "B101" "assert_used" "Raise an exception instead, since assertions vanish when Python runs optimised.";
    Medium "B102" "exec_used" "Replace exec by a function or a table of functions, so that no text becomes code.";
    High "B103" "set_bad_file_permissions" "Give the file the narrowest mode that works, for example 0o600 or 0o750.";
    Medium "B104" "hardcoded_bind_all_interfaces" "Bind to the one address that must be reachable, and make it a setting.";
    Low "B105" "hardcoded_password_string" "Read the password from the environment or a secret store and change the one that was written here.";
    Low "B106" "hardcoded_password_funcarg" "Pass the password in from the environment or a secret store and change the one that was written here.";
    Low "B107" "hardcoded_password_default" "Give the parameter no default and let the caller supply the password.";
    Medium "B108" "hardcoded_tmp_directory" "Create the file with the tempfile module, so that nobody can guess or prepare its name.";
    Low "B110" "try_except_pass" "Catch the one exception that is expected and log or handle it.";
    Low "B112" "try_except_continue" "Catch the one exception that is expected and log it before going on.";
    Medium "B113" "request_without_timeout" "Pass timeout= so that a silent server cannot hold the caller forever.";
    High "B201" "flask_debug_true" "Run without debug=True outside development, since the debugger lets visitors run code.";
    High "B202" "tarfile_unsafe_members" "Extract with filter='data' or check every member's path first.";
    Medium "B301" "pickle" "Use JSON or another format without code for data that others can touch.";
    Medium "B302" "marshal" "Use JSON instead of marshal for data that others can touch.";
    Medium "B303" "md5" "Use SHA-256 or better, or BLAKE2, where the digest protects something.";
    High "B304" "ciphers" "Use AES-GCM or ChaCha20-Poly1305 in place of the outdated cipher.";
    Medium "B305" "cipher_modes" "Use an authenticated mode such as GCM in place of ECB.";
    Medium "B306" "mktemp_q" "Use tempfile.NamedTemporaryFile or mkstemp, which create the file they name.";
    Medium "B307" "eval" "Use ast.literal_eval or a parser of your own for the values that are expected.";
    Medium "B308" "mark_safe" "Build the markup with format_html, which escapes its arguments.";
    Medium "B310" "urllib_urlopen" "Check that the URL begins with http:// or https:// before opening it.";
    Low "B311" "random" "Use the secrets module where the value must not be guessed.";
    High "B312" "telnetlib" "Use SSH in place of telnet, which sends everything in clear text.";
    Medium "B313" "xml_bad_cElementTree" "Parse XML from others with defusedxml.";
    Medium "B314" "xml_bad_ElementTree" "Parse XML from others with defusedxml.";
    Medium "B315" "xml_bad_expatreader" "Parse XML from others with defusedxml.";
    Medium "B316" "xml_bad_expatbuilder" "Parse XML from others with defusedxml.";
    Medium "B317" "xml_bad_sax" "Parse XML from others with defusedxml.";
    Medium "B318" "xml_bad_minidom" "Parse XML from others with defusedxml.";
    Medium "B319" "xml_bad_pulldom" "Parse XML from others with defusedxml.";
    High "B321" "ftplib" "Use SFTP or HTTPS in place of FTP, which sends everything in clear text.";
    Medium "B323" "unverified_context" "Use ssl.create_default_context, which verifies certificates.";
    High "B324" "hashlib" "Use SHA-256 or better, or say usedforsecurity=False where nothing depends on it.";
    High "B401" "import_telnetlib" "Use SSH in place of telnet, which sends everything in clear text.";
    High "B402" "import_ftplib" "Use SFTP or HTTPS in place of FTP, which sends everything in clear text.";
    Low "B403" "import_pickle" "Make sure that only data written by this program is unpickled.";
    Low "B404" "import_subprocess" "Call programs with a list of arguments and without a shell.";
    Low "B405" "import_xml_etree" "Parse XML from others with defusedxml.";
    Low "B406" "import_xml_sax" "Parse XML from others with defusedxml.";
    Low "B407" "import_xml_expat" "Parse XML from others with defusedxml.";
    Low "B408" "import_xml_minidom" "Parse XML from others with defusedxml.";
    Low "B409" "import_xml_pulldom" "Parse XML from others with defusedxml.";
    High "B411" "import_xmlrpclib" "Protect XML-RPC with defusedxml.xmlrpc.monkey_patch before any message is read.";
    High "B412" "import_httpoxy" "Serve the application through WSGI or ASGI, where a Proxy header cannot become a setting.";
    High "B413" "import_pycrypto" "Use the cryptography package, since pyCrypto is no longer maintained.";
    High "B415" "import_pyghmi" "Reach the management controller through an encrypted channel in place of plain IPMI.";
    High "B501" "request_with_no_cert_validation" "Leave certificate verification on, or name the authority with verify=PATH.";
    High "B502" "ssl_with_bad_version" "Ask for TLS 1.2 or newer.";
    Medium "B503" "ssl_with_bad_defaults" "Make TLS 1.2 or newer the default of this parameter.";
    Low "B504" "ssl_with_no_version" "Use ssl.create_default_context and a minimum_version, so that old protocols are refused.";
    High "B505" "weak_cryptographic_key" "Use at least 2048 bits for RSA and DSA and 224 for elliptic curves.";
    Medium "B506" "yaml_load" "Use yaml.safe_load, which makes plain values only.";
    High "B507" "ssh_no_host_key_verification" "Load known host keys and keep RejectPolicy, so that an unknown server is refused.";
    Medium "B508" "snmp_insecure_version_check" "Use SNMPv3, which authenticates and encrypts.";
    Medium "B509" "snmp_crypto_check" "Give the SNMPv3 user both an authentication and a privacy protocol.";
    Medium "B601" "paramiko_calls" "Quote every argument with shlex.quote before it is sent to the remote shell.";
    High "B602" "subprocess_popen_with_shell_equals_true" "Pass a list of arguments and drop shell=True.";
    Low "B603" "subprocess_without_shell_equals_true" "Make sure that no argument of the program comes unchecked from outside.";
    Medium "B604" "any_other_function_with_shell_equals_true" "Drop shell=True, or make sure that the text is constant.";
    High "B605" "start_process_with_a_shell" "Use subprocess.run with a list of arguments, which starts no shell.";
    Low "B606" "start_process_with_no_shell" "Make sure that neither the program nor its arguments come unchecked from outside.";
    Low "B607" "start_process_with_partial_path" "Name the program by its full path or find it with shutil.which first.";
    Medium "B608" "hardcoded_sql_expressions" "Pass values as query parameters and never build SQL from text.";
    High "B609" "linux_commands_wildcard_injection" "Expand the pattern with glob and pass the names as separate arguments after `--`.";
    Medium "B610" "django_extra_used" "Use the query methods of the ORM, or pass values to extra() as parameters.";
    Medium "B611" "django_rawsql_used" "Use the query methods of the ORM, or pass values to RawSQL as parameters.";
    Medium "B612" "logging_config_insecure_listen" "Give logging.config.listen a verify= function that accepts signed settings only.";
    High "B613" "trojansource" "Remove the bidirectional control characters, which show the code in another order than it runs.";
    Medium "B614" "pytorch_load" "Load the file with weights_only=True or from the safetensors format.";
    Medium "B615" "huggingface_unsafe_download" "Name the exact commit with revision=, so that the download cannot change.";
    High "B701" "jinja2_autoescape_false" "Create the environment with autoescape=select_autoescape().";
    Medium "B702" "use_of_mako_templates" "Escape with the h filter or set default_filters=['h'] on the template lookup.";
    Medium "B703" "django_mark_safe" "Build the markup with format_html, which escapes its arguments.";
    Medium "B704" "markupsafe_markup_xss" "Pass values to Markup(...).format, which escapes them, in place of joining text.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_every_entry_is_one_sentence() {
        assert!(RULES.is_sorted_by_key(|rule| rule.code));
        for rule in RULES {
            assert_eq!(find_bandit_rule(rule.code), Some(rule));
            assert!(rule.help.ends_with('.') && rule.help.len() < 120, "{}", rule.code);
        }
        assert_eq!(RULES.len(), 75);
        assert_eq!(find_bandit_rule("B999"), None);
    }
}
