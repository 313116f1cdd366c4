//! Libraries that say what a project is.

use crate::packages::Ecosystem;

/// What a library says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LibraryRole {
    /// The project is built on it.
    Framework,
    /// The project serves requests by it.
    Web,
    /// Tests are written for it.
    Test,
    /// It handles passwords, money, keys or identities.
    Sensitive,
}

use LibraryRole::{Framework, Sensitive, Test, Web};

/// Names as their ecosystems tell them apart, with what each says. A name that ends with `*` stands for all that begin so.
const KNOWN: &[(Ecosystem, &[(&str, LibraryRole)])] = &[
    (
        Ecosystem::PyPi,
        &[
            ("aiohttp", Web),
            ("airflow", Framework),
            ("apache-airflow", Framework),
            ("bottle", Web),
            ("celery", Framework),
            ("channels", Web),
            ("click", Framework),
            ("dash", Web),
            ("django", Web),
            ("djangorestframework", Web),
            ("falcon", Web),
            ("fastapi", Web),
            ("flask", Web),
            ("gradio", Web),
            ("graphene", Web),
            ("grpcio", Web),
            ("langchain", Framework),
            ("litestar", Web),
            ("mcp", Framework),
            ("numpy", Framework),
            ("pandas", Framework),
            ("polars", Framework),
            ("pydantic", Framework),
            ("pyramid", Web),
            ("pyspark", Framework),
            ("sanic", Web),
            ("scikit-learn", Framework),
            ("scrapy", Framework),
            ("sqlalchemy", Framework),
            ("sqlmodel", Framework),
            ("starlette", Web),
            ("streamlit", Web),
            ("tensorflow", Framework),
            ("torch", Framework),
            ("tornado", Web),
            ("transformers", Framework),
            ("typer", Framework),
            ("hypothesis", Test),
            ("nose2", Test),
            ("pytest", Test),
            ("robotframework", Test),
            ("argon2-cffi", Sensitive),
            ("authlib", Sensitive),
            ("bcrypt", Sensitive),
            ("braintree", Sensitive),
            ("cryptography", Sensitive),
            ("django-allauth", Sensitive),
            ("hvac", Sensitive),
            ("ldap3", Sensitive),
            ("oauthlib", Sensitive),
            ("passlib", Sensitive),
            ("pyjwt", Sensitive),
            ("pynacl", Sensitive),
            ("python-jose", Sensitive),
            ("python3-saml", Sensitive),
            ("stripe", Sensitive),
        ],
    ),
    (
        Ecosystem::Npm,
        &[
            ("@angular/core", Web),
            ("@nestjs/core", Web),
            ("@remix-run/react", Web),
            ("@sveltejs/kit", Web),
            ("astro", Web),
            ("electron", Framework),
            ("expo", Framework),
            ("express", Web),
            ("fastify", Web),
            ("gatsby", Web),
            ("hono", Web),
            ("koa", Web),
            ("next", Web),
            ("nuxt", Web),
            ("preact", Framework),
            ("prisma", Framework),
            ("react", Framework),
            ("react-native", Framework),
            ("rollup", Framework),
            ("socket.io", Web),
            ("solid-js", Framework),
            ("svelte", Framework),
            ("tailwindcss", Framework),
            ("typeorm", Framework),
            ("vite", Framework),
            ("vue", Framework),
            ("webpack", Framework),
            ("@modelcontextprotocol/sdk", Framework),
            ("@playwright/test", Test),
            ("@testing-library/react", Test),
            ("ava", Test),
            ("cypress", Test),
            ("jasmine", Test),
            ("jest", Test),
            ("karma", Test),
            ("mocha", Test),
            ("playwright", Test),
            ("tap", Test),
            ("vitest", Test),
            ("argon2", Sensitive),
            ("bcrypt", Sensitive),
            ("bcryptjs", Sensitive),
            ("braintree", Sensitive),
            ("jose", Sensitive),
            ("jsonwebtoken", Sensitive),
            ("next-auth", Sensitive),
            ("oidc-provider", Sensitive),
            ("passport", Sensitive),
            ("stripe", Sensitive),
            ("tweetnacl", Sensitive),
        ],
    ),
    (
        Ecosystem::Crates,
        &[
            ("actix-web", Web),
            ("axum", Web),
            ("bevy", Framework),
            ("clap", Framework),
            ("diesel", Framework),
            ("dioxus", Framework),
            ("hyper", Web),
            ("leptos", Web),
            ("rmcp", Framework),
            ("rocket", Web),
            ("sea-orm", Framework),
            ("sqlx", Framework),
            ("tauri", Framework),
            ("tokio", Framework),
            ("tonic", Web),
            ("warp", Web),
            ("yew", Framework),
            ("criterion", Test),
            ("proptest", Test),
            ("rstest", Test),
            ("argon2", Sensitive),
            ("jsonwebtoken", Sensitive),
            ("oauth2", Sensitive),
            ("openidconnect", Sensitive),
            ("openssl", Sensitive),
            ("ring", Sensitive),
            ("rustls", Sensitive),
        ],
    ),
    (
        Ecosystem::Go,
        &[
            ("github.com/gin-gonic/gin", Web),
            ("github.com/go-chi/chi*", Web),
            ("github.com/gofiber/fiber*", Web),
            ("github.com/gorilla/mux", Web),
            ("github.com/labstack/echo*", Web),
            ("github.com/spf13/cobra", Framework),
            ("google.golang.org/grpc", Web),
            ("gorm.io/gorm", Framework),
            ("k8s.io/client-go", Framework),
            ("github.com/onsi/ginkgo*", Test),
            ("github.com/stretchr/testify", Test),
            ("github.com/golang-jwt/jwt*", Sensitive),
            ("golang.org/x/crypto", Sensitive),
            ("golang.org/x/oauth2", Sensitive),
            ("github.com/stripe/stripe-go*", Sensitive),
        ],
    ),
    (
        Ecosystem::Maven,
        &[
            ("io.micronaut:*", Web),
            ("io.quarkus:*", Web),
            ("io.vertx:vertx-web", Web),
            ("jakarta.servlet:*", Web),
            ("org.hibernate*", Framework),
            ("org.springframework.boot:*", Web),
            ("org.springframework:*", Framework),
            ("junit:junit", Test),
            ("org.junit*", Test),
            ("org.mockito:*", Test),
            ("org.testng:testng", Test),
            ("com.stripe:stripe-java", Sensitive),
            ("io.jsonwebtoken:*", Sensitive),
            ("org.bouncycastle:*", Sensitive),
            ("org.springframework.security:*", Sensitive),
        ],
    ),
];

/// What a library says of a project that uses it.
pub(super) fn role(ecosystem: Ecosystem, name: &str) -> Option<LibraryRole> {
    let (_, known) = KNOWN.iter().find(|(one, _)| *one == ecosystem)?;
    let name = ecosystem.normalize_name(name);
    let fits = |known: &str| known.strip_suffix('*').map_or(known == name, |start| name.starts_with(start));
    known.iter().find(|(known, _)| fits(known)).map(|(_, role)| *role)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_as_their_ecosystems_do() {
        assert_eq!(role(Ecosystem::PyPi, "Django"), Some(LibraryRole::Web));
        assert_eq!(role(Ecosystem::PyPi, "Scikit_Learn"), Some(LibraryRole::Framework));
        assert_eq!(role(Ecosystem::Npm, "Django"), None);
        assert_eq!(role(Ecosystem::Maven, "org.springframework.boot:spring-boot-starter-web"), Some(LibraryRole::Web));
        assert_eq!(role(Ecosystem::Go, "github.com/go-chi/chi/v5"), Some(LibraryRole::Web));
    }
}
