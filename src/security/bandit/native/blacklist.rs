//! What must not be called or imported: bandit's two blacklists.

use ruff_python_ast::{Alias, Expr};
use tapps_base::finding::Severity::{self, High, Low, Medium};

use super::call::CallView;
use super::literal::Value;
use super::verdict::{Judged, Lost, Verdict};

/// Names that one test of a blacklist is about; `{name}` in the text stands for the one that was found.
struct Listed {
    test: &'static str,
    severity: Severity,
    cwe: u32,
    names: &'static [&'static str],
    text: &'static str,
}

impl Listed {
    fn verdict_on(&self, name: &str) -> Verdict {
        let verdict = Verdict::new(self.test, (self.severity, High), self.cwe, self.text);
        if self.text.contains("{name}") { verdict.saying(self.text.replace("{name}", name)) } else { verdict }
    }
}

/// Calls by the name of what is called; `__import__` and `importlib` count as imports.
pub(super) fn judge_listed_call(view: &CallView<'_, '_>) -> Judged {
    let Some(name) = name_of_call(view)? else { return Ok(None) };
    let listed = CALLS.iter().chain(IMPORTS).find(|listed| listed.names.contains(&name.as_str()));
    Ok(listed.map(|listed| listed.verdict_on(&name)))
}

fn name_of_call(view: &CallView<'_, '_>) -> Result<Option<String>, Lost> {
    if matches!(&*view.call.func, Expr::Name(name) if name.id == "__import__") {
        return Ok(match view.positional().first() {
            Some(Expr::StringLiteral(literal)) => Some(literal.value.to_str().to_owned()),
            _ => None,
        });
    }
    if !["importlib.import_module", "importlib.__import__"].contains(&view.qualified.as_str()) {
        return Ok(Some(view.qualified.clone()));
    }
    let positional = view.positional_values()?;
    let module = match positional.first() {
        Some(module) => module.clone(),
        None => view.keyword_entry("name")?.cloned().ok_or(Lost)?,
    };
    Ok(if let Value::Text(text) = module { Some(text) } else { None })
}

/// The names of an import, with the module they are taken from. The first test in the order of the list decides, and names
/// count by how they begin.
pub(super) fn judge_listed_import(module: Option<&str>, names: &[Alias]) -> Option<Verdict> {
    IMPORTS.iter().find_map(|listed| {
        let begins = |alias: &&Alias| {
            let full = module.map_or_else(|| alias.name.to_string(), |module| format!("{module}.{}", alias.name));
            listed.names.iter().any(|name| full.starts_with(name))
        };
        names.iter().find(begins).map(|alias| listed.verdict_on(&alias.name))
    })
}

const PARSING: &str = "Using {name} to parse untrusted XML data is known to be vulnerable to XML attacks. Replace {name} with its \
                       defusedxml equivalent function or make sure defusedxml.defuse_stdlib() is called";

const IMPORTED_PARSER: &str = "Using {name} to parse untrusted XML data is known to be vulnerable to XML attacks. Replace {name} \
                               with the equivalent defusedxml package, or make sure defusedxml.defuse_stdlib() is called.";

const fn xml_call(test: &'static str, names: &'static [&'static str]) -> Listed {
    Listed { test, severity: Medium, cwe: 20, names, text: PARSING }
}

const fn xml_import(test: &'static str, names: &'static [&'static str]) -> Listed {
    Listed { test, severity: Low, cwe: 20, names, text: IMPORTED_PARSER }
}

const CALLS: &[Listed] = &[
    Listed {
        test: "B301",
        severity: Medium,
        cwe: 502,
        names: &[
            "pickle.loads",
            "pickle.load",
            "pickle.Unpickler",
            "dill.loads",
            "dill.load",
            "dill.Unpickler",
            "shelve.open",
            "shelve.DbfilenameShelf",
            "jsonpickle.decode",
            "jsonpickle.unpickler.decode",
            "jsonpickle.unpickler.Unpickler",
            "pandas.read_pickle",
        ],
        text: "Pickle and modules that wrap it can be unsafe when used to deserialize untrusted data, possible security issue.",
    },
    Listed {
        test: "B302",
        severity: Medium,
        cwe: 502,
        names: &["marshal.load", "marshal.loads"],
        text: "Deserialization with the marshal module is possibly dangerous.",
    },
    Listed {
        test: "B303",
        severity: Medium,
        cwe: 327,
        names: &[
            "Crypto.Hash.MD2.new",
            "Crypto.Hash.MD4.new",
            "Crypto.Hash.MD5.new",
            "Crypto.Hash.SHA.new",
            "Cryptodome.Hash.MD2.new",
            "Cryptodome.Hash.MD4.new",
            "Cryptodome.Hash.MD5.new",
            "Cryptodome.Hash.SHA.new",
            "cryptography.hazmat.primitives.hashes.MD5",
            "cryptography.hazmat.primitives.hashes.SHA1",
        ],
        text: "Use of insecure MD2, MD4, MD5, or SHA1 hash function.",
    },
    Listed {
        test: "B304",
        severity: High,
        cwe: 327,
        names: &[
            "Crypto.Cipher.ARC2.new",
            "Crypto.Cipher.ARC4.new",
            "Crypto.Cipher.Blowfish.new",
            "Crypto.Cipher.DES.new",
            "Crypto.Cipher.XOR.new",
            "Cryptodome.Cipher.ARC2.new",
            "Cryptodome.Cipher.ARC4.new",
            "Cryptodome.Cipher.Blowfish.new",
            "Cryptodome.Cipher.DES.new",
            "Cryptodome.Cipher.XOR.new",
            "cryptography.hazmat.primitives.ciphers.algorithms.ARC4",
            "cryptography.hazmat.primitives.ciphers.algorithms.Blowfish",
            "cryptography.hazmat.primitives.ciphers.algorithms.CAST5",
            "cryptography.hazmat.primitives.ciphers.algorithms.IDEA",
            "cryptography.hazmat.primitives.ciphers.algorithms.SEED",
            "cryptography.hazmat.primitives.ciphers.algorithms.TripleDES",
        ],
        text: "Use of insecure cipher {name}. Replace with a known secure cipher such as AES.",
    },
    Listed {
        test: "B305",
        severity: Medium,
        cwe: 327,
        names: &["cryptography.hazmat.primitives.ciphers.modes.ECB"],
        text: "Use of insecure cipher mode {name}.",
    },
    Listed {
        test: "B306",
        severity: Medium,
        cwe: 377,
        names: &["tempfile.mktemp"],
        text: "Use of insecure and deprecated function (mktemp).",
    },
    Listed {
        test: "B307",
        severity: Medium,
        cwe: 78,
        names: &["eval"],
        text: "Use of possibly insecure function - consider using safer ast.literal_eval.",
    },
    Listed {
        test: "B308",
        severity: Medium,
        cwe: 79,
        names: &["django.utils.safestring.mark_safe"],
        text: "Use of mark_safe() may expose cross-site scripting vulnerabilities and should be reviewed.",
    },
    Listed {
        test: "B310",
        severity: Medium,
        cwe: 22,
        names: &[
            "urllib.request.urlopen",
            "urllib.request.urlretrieve",
            "urllib.request.URLopener",
            "urllib.request.FancyURLopener",
            "six.moves.urllib.request.urlopen",
            "six.moves.urllib.request.urlretrieve",
            "six.moves.urllib.request.URLopener",
            "six.moves.urllib.request.FancyURLopener",
        ],
        text: "Audit url open for permitted schemes. Allowing use of file:/ or custom schemes is often unexpected.",
    },
    Listed {
        test: "B311",
        severity: Low,
        cwe: 330,
        names: &[
            "random.Random",
            "random.random",
            "random.randrange",
            "random.randint",
            "random.choice",
            "random.choices",
            "random.uniform",
            "random.triangular",
            "random.randbytes",
            "random.sample",
            "random.getrandbits",
        ],
        text: "Standard pseudo-random generators are not suitable for security/cryptographic purposes.",
    },
    Listed {
        test: "B312",
        severity: High,
        cwe: 319,
        names: &["telnetlib.Telnet"],
        text: "Telnet-related functions are being called. Telnet is considered insecure. Use SSH or some other encrypted protocol.",
    },
    xml_call(
        "B313",
        &[
            "xml.etree.cElementTree.parse",
            "xml.etree.cElementTree.iterparse",
            "xml.etree.cElementTree.fromstring",
            "xml.etree.cElementTree.XMLParser",
        ],
    ),
    xml_call(
        "B314",
        &[
            "xml.etree.ElementTree.parse",
            "xml.etree.ElementTree.iterparse",
            "xml.etree.ElementTree.fromstring",
            "xml.etree.ElementTree.XMLParser",
        ],
    ),
    xml_call("B315", &["xml.sax.expatreader.create_parser"]),
    xml_call("B316", &["xml.dom.expatbuilder.parse", "xml.dom.expatbuilder.parseString"]),
    xml_call("B317", &["xml.sax.parse", "xml.sax.parseString", "xml.sax.make_parser"]),
    xml_call("B318", &["xml.dom.minidom.parse", "xml.dom.minidom.parseString"]),
    xml_call("B319", &["xml.dom.pulldom.parse", "xml.dom.pulldom.parseString"]),
    Listed {
        test: "B321",
        severity: High,
        cwe: 319,
        names: &["ftplib.FTP"],
        text: "FTP-related functions are being called. FTP is considered insecure. Use SSH/SFTP/SCP or some other encrypted protocol.",
    },
    Listed {
        test: "B323",
        severity: Medium,
        cwe: 295,
        names: &["ssl._create_unverified_context"],
        text: "By default, Python will create a secure, verified ssl context for use in such classes as HTTPSConnection. However, \
               it still allows using an insecure context via the _create_unverified_context that  reverts to the previous \
               behavior that does not validate certificates or perform hostname checks.",
    },
];

const IMPORTS: &[Listed] = &[
    Listed {
        test: "B401",
        severity: High,
        cwe: 319,
        names: &["telnetlib"],
        text: "A telnet-related module is being imported.  Telnet is considered insecure. Use SSH or some other encrypted protocol.",
    },
    Listed {
        test: "B402",
        severity: High,
        cwe: 319,
        names: &["ftplib"],
        text: "A FTP-related module is being imported.  FTP is considered insecure. Use SSH/SFTP/SCP or some other encrypted \
               protocol.",
    },
    Listed {
        test: "B403",
        severity: Low,
        cwe: 502,
        names: &["pickle", "cPickle", "dill", "shelve"],
        text: "Consider possible security implications associated with {name} module.",
    },
    Listed {
        test: "B404",
        severity: Low,
        cwe: 78,
        names: &["subprocess"],
        text: "Consider possible security implications associated with the subprocess module.",
    },
    xml_import("B405", &["xml.etree.cElementTree", "xml.etree.ElementTree"]),
    xml_import("B406", &["xml.sax"]),
    xml_import("B407", &["xml.dom.expatbuilder"]),
    xml_import("B408", &["xml.dom.minidom"]),
    xml_import("B409", &["xml.dom.pulldom"]),
    Listed {
        test: "B411",
        severity: High,
        cwe: 20,
        names: &["xmlrpc"],
        text: "Using {name} to parse untrusted XML data is known to be vulnerable to XML attacks. Use \
               defusedxml.xmlrpc.monkey_patch() function to monkey-patch xmlrpclib and mitigate XML vulnerabilities.",
    },
    Listed {
        test: "B412",
        severity: High,
        cwe: 284,
        names: &["wsgiref.handlers.CGIHandler", "twisted.web.twcgi.CGIScript", "twisted.web.twcgi.CGIDirectory"],
        text: "Consider possible security implications associated with {name} module.",
    },
    Listed {
        test: "B413",
        severity: High,
        cwe: 327,
        names: &[
            "Crypto.Cipher",
            "Crypto.Hash",
            "Crypto.IO",
            "Crypto.Protocol",
            "Crypto.PublicKey",
            "Crypto.Random",
            "Crypto.Signature",
            "Crypto.Util",
        ],
        text: "The pyCrypto library and its module {name} are no longer actively maintained and have been deprecated. Consider \
               using pyca/cryptography library.",
    },
    Listed {
        test: "B415",
        severity: High,
        cwe: 319,
        names: &["pyghmi"],
        text: "An IPMI-related module is being imported. IPMI is considered insecure. Use an encrypted protocol.",
    },
];
